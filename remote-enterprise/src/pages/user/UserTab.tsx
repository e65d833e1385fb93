import { MoreOutlined, PlusOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import { App, Button, Dropdown, Flex, Form, Input, Select, Space, Table, Tag } from 'antd'
import { useAtomValue } from 'jotai'
import { lazy, Suspense, useState } from 'react'
import { call } from '@iot/shared/client/call'
import { roleApi } from '@iot/shared/contract/role'
import { User, userApi, userStateText } from '@iot/shared/contract/user'
import { useCan } from '@iot/shared/session/can'
import { userInfoAtom } from '@iot/shared/session/user'
import { BatchBar, quietly, useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { column, shown } from '@iot/shared/ui/field'
import { Filters } from '@iot/shared/ui/filters'
import { Right, RowActions, useRefusal } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const UserForm = lazy(() => import('./UserForm'))
const Secret = lazy(() => import('./Secret'))
const Sessions = lazy(() => import('./Sessions'))

type State = User['state']
const colors: Record<State, string> = {
  normal: 'success',
  disabled: 'default',
  locked: 'error',
  expired: 'warning',
}
const states = Object.entries(userStateText).map(([value, label]) => ({ value, label }))

export function UserTab() {
  const { modal, message } = App.useApp()
  const can = useCan()
  const refusal = useRefusal()
  const confirmRemove = useConfirmRemove()
  const me = useAtomValue(userInfoAtom)
  const { table, filters, search, refresh, sortable } = usePage(userApi.page, {
    empty: '还没有用户，点“新建用户”添加',
  })
  const { data: roles } = useRequest(() => call(roleApi.list, {}), { ready: can(roleApi.list) })
  const batch = useBatch(refresh)
  const [editing, setEditing] = useEditing<User | 'new'>('user')
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

  const more = (user: User) => {
    const isMe = user.id === me?.id
    const item = (
      key: string,
      label: string,
      why: string | undefined,
      onClick: () => unknown,
      danger = false,
    ) => ({
      key,
      label,
      title: why,
      disabled: why !== undefined,
      danger,
      onClick: () => void onClick(),
    })
    return [
      item('reset', '重置密码', refusal(userApi.resetPassword), () => resetPassword(user)),
      item('sessions', '登录会话', refusal(userApi.sessions), () => setWatched(user)),
      ...(user.state === 'locked'
        ? [item('unlock', '解锁', refusal(userApi.unlock), () => unlock(user))]
        : []),
      user.state === 'disabled'
        ? item('enable', '启用', refusal(userApi.setEnabled), () =>
            batch.run('启用', setEnabled(true), [user.id]),
          )
        : item('disable', '禁用', refusal(userApi.setEnabled, isMe && '不能禁用自己'), () =>
            batch.run('禁用', setEnabled(false), [user.id]),
          ),
      item(
        'remove',
        '删除',
        refusal(userApi.remove, isMe ? '不能删除自己' : user.builtin && '内置用户不能删除'),
        () => remove(user),
        true,
      ),
    ]
  }

  const { columns, size, scroll, chooser } = useColumns<User>(
    'user',
    [
      { ...column(User, 'username'), ...sortable('username'), width: 126, ellipsis: true },
      { ...column(User, 'name'), ...sortable('name'), width: 120, ellipsis: true },
      {
        ...column(User, 'roleIds'),
        width: 170,
        render: (_, { roleNames }) => roleNames.map((name) => <Tag key={name}>{name}</Tag>),
      },
      {
        ...column(User, 'state'),
        width: 90,
        render: (state: State) => <Tag color={colors[state]}>{userStateText[state]}</Tag>,
      },
      { ...column(User, 'phone'), width: 124 },
      { ...column(User, 'email'), width: 200, ellipsis: true },
      {
        ...column(User, 'expireTime'),
        width: 110,
        render: (time: User['expireTime']) => (time ? shown(time).slice(0, 10) : '长期'),
      },
      { ...column(User, 'lastLoginTime'), ...sortable('lastLoginTime'), width: 150 },
      {
        title: <>操作</>,
        width: 90,
        fixed: 'right',
        render: (_, user) => (
          <RowActions>
            <Right to={userApi.update}>
              <Button type="link" size="small" onClick={() => setEditing(user)}>
                编辑
              </Button>
            </Right>
            <Dropdown trigger={['click']} menu={{ items: more(user) }}>
              <Button
                type="text"
                size="small"
                icon={<MoreOutlined />}
                aria-label={`${user.name}的更多操作`}
              />
            </Dropdown>
          </RowActions>
        ),
      },
    ],
    ['email'],
  )

  return (
    <Flex vertical gap={16}>
      <Flex justify="space-between" align="start" gap={16}>
        <Filters filters={filters} search={search}>
          <Form.Item name="username">
            <Input allowClear placeholder="账号" style={{ width: 130 }} />
          </Form.Item>
          <Form.Item name="name">
            <Input allowClear placeholder="姓名" style={{ width: 120 }} />
          </Form.Item>
          <Form.Item name="phone">
            <Input allowClear placeholder="手机号" style={{ width: 130 }} />
          </Form.Item>
          {roles && (
            <Form.Item name="roleId">
              <Select
                allowClear
                placeholder="角色"
                aria-label="角色"
                options={roles.map(({ id, name }) => ({ value: id, label: name }))}
                style={{ width: 140 }}
              />
            </Form.Item>
          )}
          <Form.Item name="state">
            <Select
              allowClear
              placeholder="状态"
              aria-label="状态"
              options={states}
              style={{ width: 100 }}
            />
          </Form.Item>
        </Filters>
        <Space>
          {chooser}
          <Right to={userApi.create}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
              新建用户
            </Button>
          </Right>
        </Space>
      </Flex>
      <BatchBar count={batch.selected.length} onClear={batch.clear}>
        <Right to={userApi.setEnabled}>
          <Button onClick={() => batch.run('启用', setEnabled(true))}>启用</Button>
        </Right>
        <Right to={userApi.setEnabled}>
          <Button onClick={() => batch.run('禁用', setEnabled(false))}>禁用</Button>
        </Right>
      </BatchBar>
      <Table<User>
        size={size}
        columns={columns}
        rowSelection={batch.selection}
        {...table}
        scroll={scroll}
      />
      <Suspense>
        {editing && (
          <UserForm
            user={editing === 'new' ? undefined : editing}
            roles={roles ?? []}
            onCreated={setSecret}
            onSaved={refresh}
            onClose={() => setEditing(undefined)}
          />
        )}
        {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
        {watched && <Sessions user={watched} onClose={() => setWatched(undefined)} />}
      </Suspense>
    </Flex>
  )
}
