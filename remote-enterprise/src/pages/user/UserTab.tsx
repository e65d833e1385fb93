import Flex from 'antd/es/flex'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { getSelectedName, toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { allProjectsLabel, userStateText, userTitles } from '@iot/shared/contract/access/user'
import type { User } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { rightFilter } from './rightFilter'
import { UserStateText } from './UserStateText'
import {
  disableUsers,
  removeUsers,
  setEnabled,
  useUserActions,
  type GeneratedPassword,
} from './useUserActions'

const UserForm = lazyDialog(() => import('./UserForm'))
const AssignDialog = lazyDialog(() => import('./AssignDialog'))
const PasswordDialog = lazyDialog(() => import('./PasswordDialog'))

const stateOptions = toTextOptions(userStateText)

export function UserTab() {
  const can = useCan()
  const list = usePage(userApi.page, {
    empty: '还没有用户，点“新建用户”添加',
    create: userApi.create,
  })
  const { data: roles } = usePickerOptions(roleApi.list, { ready: can(roleApi.list) })
  const projects = useAtomValue(projectOptionsAtom)
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<User | 'new'>('user', '用户')
  const [assignedIds, setAssignedIds] = useState<string[]>()
  const [generatedPassword, setGeneratedPassword] = useState<GeneratedPassword>()

  const actions = useUserActions({
    batch,
    refresh: list.refresh,
    onSecret: setGeneratedPassword,
  })

  const columns = useColumns<User>(
    'user',
    createUserColumns({ sortable: list.sortable, projects, actions, onEdit: setEditing }),
    ['email', 'secondFactor'],
  )

  return (
    <Flex vertical gap={16}>
      {unsavedNotice}
      <ListTable<User>
        list={list}
        columns={columns}
        filters={[
          textFilter('username', '账号', 130),
          textFilter('name', '姓名', 120),
          ...(can(roleApi.list) ? [choiceFilter('roleId', '角色', toRowOptions(roles), 140)] : []),
          choiceFilter('state', '状态', stateOptions, 100),
          textFilter('phone', '手机号', 130),
          ...(can(roleApi.list) ? [rightFilter] : []),
        ]}
        selection={batch.selection}
        batchActions={
          <BatchActions
            batch={batch}
            of={[
              {
                label: '启用',
                to: userApi.setEnabled,
                onClick: () => batch.run('启用', setEnabled(true)),
              },
              {
                label: '禁用',
                to: userApi.setEnabled,
                onClick: () => disableUsers(batch),
              },
              {
                label: '分配角色和项目',
                to: userApi.assign,
                onClick: () => setAssignedIds(batch.selected),
              },
              {
                label: '删除',
                to: userApi.removeMany,
                danger: true,
                onClick: () => batch.confirmRun('删除', removeUsers),
              },
            ]}
            exporting={{ from: userApi.exportRows }}
          />
        }
      >
        <ImportButton
          name="用户"
          to={userApi.importRows}
          update={userApi.update}
          note={`项目写名称，多个以“、”隔开；不限项目写“${allProjectsLabel}”`}
          onImported={list.refresh}
        />
        <ExportButton from={userApi.exportRows} input={list.input} />
        <CreateButton to={userApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <UserForm
          user={editing === 'new' ? undefined : editing}
          roles={roles}
          onCreated={setGeneratedPassword}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {assignedIds && (
        <AssignDialog
          ids={assignedIds}
          roles={roles}
          send={(assignment) =>
            batch.send(assignedIds, (ids) => call(userApi.assign, { ids, ...assignment }))
          }
          onAssigned={(rows) => batch.report('分配', rows, { isQuiet: true })}
          onClose={() => setAssignedIds(undefined)}
        />
      )}
      {generatedPassword && (
        <PasswordDialog {...generatedPassword} onClose={() => setGeneratedPassword(undefined)} />
      )}
    </Flex>
  )
}

type UserColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof userApi.page>>['sortable']
  projects: { value: number; label: string }[]
  actions: ReturnType<typeof useUserActions>
  onEdit: (user: User) => void
}

const createUserColumns = ({
  sortable,
  projects,
  actions,
  onEdit,
}: UserColumnsOptions): TableColumnType<User>[] => [
  { ...column(userTitles, 'username'), ...sortable('username'), width: 126, ellipsis: true },
  {
    ...column(userTitles, 'name'),
    ...sortable('name'),
    width: 120,
    ellipsis: true,
    render: (name: string, { id }) => (
      <RowLink to={userApi.get} at={`${paths.enterprise.user()}/${id}`} name={name} />
    ),
  },
  {
    ...column(userTitles, 'roleIds'),
    width: 170,
    ellipsis: true,
    render: (_, { roleNames }) => roleNames.join('、') || '—',
  },
  {
    ...column(userTitles, 'projectIds'),
    width: 110,
    ellipsis: true,
    render: (projectIds: User['projectIds']) =>
      projectIds === 'all'
        ? allProjectsLabel
        : projectIds.length > 0
          ? getSelectedName(projects, projectIds)
          : '没有项目',
  },
  {
    ...column(userTitles, 'state'),
    width: 90,
    render: (state: User['state']) => <UserStateText state={state} />,
  },
  {
    ...column(userTitles, 'secondFactor'),
    width: 90,
    render: (isOn: boolean) => (isOn ? '已开启' : '—'),
  },
  { ...column(userTitles, 'phone'), width: 124 },
  { ...column(userTitles, 'email'), width: 200, ellipsis: true },
  {
    ...column(userTitles, 'expireTime'),
    width: 110,
    render: (time: User['expireTime']) => (time ? toZonedDate(time, platformTimeZone) : '长期'),
  },
  { ...column(userTitles, 'lastLoginTime'), ...sortable('lastLoginTime'), width: 150 },
  actionsColumn<User>({ api: userApi, edit: onEdit, ...actions }),
]
