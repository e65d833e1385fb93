import { Flex, Table, Tag } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { chosenName, namedOptions, optionsOf } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/role'
import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { everyProject, User, userApi, userStateText } from '@iot/shared/contract/user'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { Import } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { actionsColumn, opens } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { useListed } from '@iot/shared/ui/useListed'
import { disableUsers, setEnabled, useUserActions, type Secret } from './useUserActions'

const UserForm = lazyPart(() => import('./UserForm'))
const SecretDialog = lazyPart(() => import('./Secret'))
const Sessions = lazyPart(() => import('./Sessions'))

type State = User['state']
const colors: Record<Exclude<State, 'normal'>, string> = {
  disabled: 'default',
  locked: 'error',
  expired: 'warning',
}
const states = optionsOf(userStateText)

export function UserTab() {
  const can = useCan()
  const { table, filters, search, refresh, saved, sortable } = usePage(userApi.page, {
    empty: '还没有用户，点“新建用户”添加',
    create: userApi.create,
  })
  const { data: roles } = useListed(roleApi.list, { ready: can(roleApi.list) })
  const projects = useAtomValue(projectOptionsAtom)
  const batch = useBatch(refresh)
  const [editing, setEditing, unsaved] = useEditing<User | 'new'>('user', '用户')
  const [secret, setSecret] = useState<Secret>()
  const [watched, setWatched] = useState<User>()

  const actions = useUserActions({ batch, refresh, onSecret: setSecret, onWatch: setWatched })

  const { columns, size, scroll, chooser } = useColumns<User>(
    'user',
    [
      { ...column(User, 'username'), ...sortable('username'), width: 126, ellipsis: true },
      {
        ...column(User, 'name'),
        ...sortable('name'),
        width: 120,
        ellipsis: true,
        render: opens<User>(userApi.update, setEditing),
      },
      {
        ...column(User, 'roleIds'),
        width: 170,
        ellipsis: true,
        render: (_, { roleNames }) => roleNames.join('、') || '—',
      },
      {
        ...column(User, 'projectIds'),
        width: 110,
        ellipsis: true,
        render: (chosen: User['projectIds']) =>
          chosen === 'all'
            ? everyProject
            : chosen.length > 0
              ? chosenName(projects, chosen)
              : '没有项目',
      },
      {
        ...column(User, 'state'),
        width: 90,
        render: (state: State) =>
          state === 'normal' ? (
            userStateText[state]
          ) : (
            <Tag color={colors[state]}>{userStateText[state]}</Tag>
          ),
      },
      {
        ...column(User, 'secondFactor'),
        width: 90,
        render: (on: boolean) => (on ? '已开启' : '—'),
      },
      { ...column(User, 'phone'), width: 124 },
      { ...column(User, 'email'), width: 200, ellipsis: true },
      {
        ...column(User, 'expireTime'),
        width: 110,
        render: (time: User['expireTime']) => (time ? toZonedDate(time, platformTimeZone) : '长期'),
      },
      { ...column(User, 'lastLoginTime'), ...sortable('lastLoginTime'), width: 150 },
      actionsColumn<User>({ api: userApi, edit: setEditing, ...actions }),
    ],
    ['email', 'secondFactor'],
  )

  return (
    <Flex vertical gap={16}>
      {unsaved}
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('username', '账号', 130),
              textFilter('name', '姓名', 120),
              ...(can(roleApi.list)
                ? [choiceFilter('roleId', '角色', namedOptions(roles), 140)]
                : []),
              choiceFilter('state', '状态', states, 100),
              textFilter('phone', '手机号', 130),
            ]}
          />
        }
        batch={
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
            ]}
          />
        }
      >
        {chooser}
        <Import
          name="用户"
          to={userApi.importRows}
          update={userApi.update}
          note={`项目写名称，多个以“、”隔开；不限项目写“${everyProject}”`}
          onImported={refresh}
        />
        <CreateButton to={userApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <Table<User>
        size={size}
        columns={columns}
        rowSelection={batch.selection}
        {...table}
        scroll={scroll}
      />
      {editing && (
        <UserForm
          user={editing === 'new' ? undefined : editing}
          roles={roles}
          onCreated={setSecret}
          onSaved={saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
      {watched && <Sessions user={watched} onClose={() => setWatched(undefined)} />}
    </Flex>
  )
}
