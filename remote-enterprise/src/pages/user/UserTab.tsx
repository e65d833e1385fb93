import { App, Button, Flex, Table, Tag } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { namedOptions, optionsOf } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/role'
import { User, userApi, userStateText } from '@iot/shared/contract/user'
import { useCan } from '@iot/shared/session/can'
import { userInfoAtom } from '@iot/shared/session/user'
import { BatchBar, quietly, useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { column, shown } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { Import } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { actionsColumn, opens, Right } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { useListed } from '@iot/shared/ui/useListed'

const UserForm = lazyPart(() => import('./UserForm'))
const Secret = lazyPart(() => import('./Secret'))
const Sessions = lazyPart(() => import('./Sessions'))

type State = User['state']
const colors: Record<Exclude<State, 'normal'>, string> = {
  disabled: 'default',
  locked: 'error',
  expired: 'warning',
}
const states = optionsOf(userStateText)

export function UserTab() {
  const { modal, message } = App.useApp()
  const can = useCan()
  const confirmRemove = useConfirmRemove()
  const me = useAtomValue(userInfoAtom)
  const { table, filters, search, refresh, saved, sortable } = usePage(userApi.page, {
    empty: '还没有用户，点“新建用户”添加',
    create: userApi.create,
  })
  const { data: roles } = useListed(roleApi.list, { ready: can(roleApi.list) })
  const batch = useBatch(refresh)
  const [editing, setEditing, unsaved] = useEditing<User | 'new'>('user', '用户')
  const [secret, setSecret] = useState<{ username: string; password: string }>()
  const [watched, setWatched] = useState<User>()

  const setEnabled = (enabled: boolean) => (ids: string[]) =>
    call(userApi.setEnabled, { ids, enabled })
  const remove = ({ id, name }: User) =>
    confirmRemove(name, (options) => call(userApi.remove, { id }, options).then(refresh))
  const unlock = ({ id, name }: User) =>
    call(userApi.unlock, { id })
      .then(() => (message.success(`已解锁“${name}”`), refresh()))
      .catch(quietly)
  const resetPassword = ({ id, name, username }: User) =>
    modal.confirm({
      title: `重置“${name}”的密码？`,
      content: '原密码立即失效，已登录的会话全部下线。新密码只显示一次。',
      okText: '重置密码',
      onOk: () =>
        call(userApi.resetPassword, { id })
          .then(({ password }) => setSecret({ username, password }))
          .catch(quietly),
    })

  const resetSecondFactor = ({ id, name }: User) =>
    modal.confirm({
      title: `重置“${name}”的两步验证？`,
      content: '之后只凭密码登录，直到本人重新开启。请先确认是本人提出的。',
      okText: '重置两步验证',
      onOk: () =>
        call(userApi.resetSecondFactor, { id })
          .then(() => (message.success(`已重置“${name}”的两步验证`), refresh()))
          .catch(quietly),
    })

  const isMe = (user: User) => user.id === me?.id
  const whyKept = (user: User) => (isMe(user) ? '不能删除自己' : user.builtin && '内置用户不能删除')
  const more = (user: User) => [
    { label: '重置密码', to: userApi.resetPassword, onClick: () => resetPassword(user) },
    ...(user.secondFactor
      ? [
          {
            label: '重置两步验证',
            to: userApi.resetSecondFactor,
            unless: isMe(user) && '自己的两步验证请在“个人中心”关闭',
            onClick: () => resetSecondFactor(user),
          },
        ]
      : []),
    { label: '登录会话', to: userApi.sessions, onClick: () => setWatched(user) },
    ...(user.state === 'locked'
      ? [{ label: '解锁', to: userApi.unlock, onClick: () => unlock(user) }]
      : []),
    user.state === 'disabled'
      ? {
          label: '启用',
          to: userApi.setEnabled,
          onClick: () => batch.run('启用', setEnabled(true), [user.id]),
        }
      : {
          label: '禁用',
          to: userApi.setEnabled,
          unless: isMe(user) && '不能禁用自己',
          onClick: () => batch.run('禁用', setEnabled(false), [user.id]),
        },
  ]

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
        render: (time: User['expireTime']) => (time ? shown(time).slice(0, 10) : '长期'),
      },
      { ...column(User, 'lastLoginTime'), ...sortable('lastLoginTime'), width: 150 },
      actionsColumn<User>({ api: userApi, edit: setEditing, remove, unless: whyKept, more }),
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
              ...(roles ? [choiceFilter('roleId', '角色', namedOptions(roles), 140)] : []),
              choiceFilter('state', '状态', states, 100),
              textFilter('phone', '手机号', 130),
            ]}
          />
        }
        batch={
          <BatchBar count={batch.selected.length} onClear={batch.clear}>
            <Right to={userApi.setEnabled}>
              <Button onClick={() => batch.run('启用', setEnabled(true))}>启用</Button>
            </Right>
            <Right to={userApi.setEnabled}>
              <Button onClick={() => batch.run('禁用', setEnabled(false))}>禁用</Button>
            </Right>
          </BatchBar>
        }
      >
        {chooser}
        <Import name="用户" to={userApi.importRows} onImported={refresh} />
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
          roles={roles ?? []}
          onCreated={setSecret}
          onSaved={saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
      {watched && <Sessions user={watched} onClose={() => setWatched(undefined)} />}
    </Flex>
  )
}
