import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Segmented from 'antd/es/segmented'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { getSelectedName } from '@iot/shared/contract/options'
import { RightGrant } from '@iot/shared/contract/access/role.schema'
import { allProjectsLabel, userStateText } from '@iot/shared/contract/access/user'
import type { User } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { paths } from '@iot/shared/screens/paths'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { column } from '@iot/shared/ui/field'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { matchesRight } from './rights'

type UserRightsResponse = Output<typeof userApi.rights>
type View = 'held' | 'missing'

/** Explains what the user may do and why: each right with the roles that grant it, or that would grant it. */
export function UserRights({ user }: { user: User }) {
  const { data, error, loading, refresh } = useRequest(
    () => call(userApi.rights, { id: user.id }, { inline: true }),
    { refreshDeps: [user.id, user.version] },
  )
  const [text, setText] = useState('')
  const [view, setView] = useState<View>('held')
  const isHeld = ({ roleIds }: RightGrant) => roleIds.some((id) => user.roleIds.includes(id))
  const heldRights = data?.rights.filter(isHeld) ?? []
  const missingRights = data?.rights.filter((right) => !isHeld(right)) ?? []
  const shownRights = view === 'held' ? heldRights : missingRights

  return (
    <Flex vertical gap={8}>
      <strong>有效权限</strong>
      {(user.state === 'disabled' || user.state === 'expired') && (
        <Alert
          type="warning"
          showIcon
          title={`账号${userStateText[user.state]}，下列权限现在都不能用`}
        />
      )}
      {data && <DataScope user={user} rights={data} />}
      <Flex gap={8} wrap justify="space-between">
        <Segmented<View>
          value={view}
          onChange={setView}
          options={[
            { value: 'held', label: `能做 ${heldRights.length}` },
            { value: 'missing', label: `不能做 ${missingRights.length}` },
          ]}
        />
        <Input
          allowClear
          placeholder="搜索权限或位置"
          aria-label="搜索权限或位置"
          style={{ width: 200 }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<RightGrant>
        size="small"
        rowKey="permission"
        loading={loading && !data}
        dataSource={shownRights.filter((right) => matchesRight(right, text))}
        pagination={{ defaultPageSize: 12, showSizeChanger: false, size: 'small' }}
        scroll={{ x: 460 }}
        locale={buildEmptyLocale(data, text ? '没有找到' : '没有权限')}
        columns={[
          {
            ...column(RightGrant, 'place'),
            width: 112,
            // The last name tells the pages apart; the folders before it would be all that a narrow column shows.
            render: (place: string) => <span title={place}>{place.split(' / ').at(-1)}</span>,
          },
          { ...column(RightGrant, 'name'), width: 132 },
          {
            title: view === 'held' ? '由角色授予' : '哪些角色有',
            ellipsis: true,
            render: (_, { roleIds }) =>
              formatRoles(data, (id) =>
                view === 'held'
                  ? roleIds.includes(id) && user.roleIds.includes(id)
                  : roleIds.includes(id),
              ),
          },
          {
            title: '还有谁',
            width: 76,
            render: (_, { permission, name }) => (
              <Link to={paths.enterprise.user({ permission })} aria-label={`谁能${name}`}>
                谁能
              </Link>
            ),
          },
        ]}
      />
    </Flex>
  )
}

const formatRoles = (data: UserRightsResponse | undefined, isWanted: (id: string) => boolean) =>
  data?.roles
    .filter(({ id }) => isWanted(id))
    .map(({ name }) => name)
    .join('、')

/**
 * The data scope belongs to the user, not to one right: a single role for all projects widens every right, if the user is
 * assigned to all projects.
 */
function DataScope({
  user,
  rights: { roles, projectScope },
}: {
  user: User
  rights: UserRightsResponse
}) {
  const projects = useAtomValue(projectOptionsAtom)
  const wideningRoles = roles.filter(
    ({ id, dataScope }) => dataScope === 'all' && user.roleIds.includes(id),
  )
  const text =
    projectScope === 'all'
      ? `${allProjectsLabel}（来自角色 ${wideningRoles.map(({ name }) => name).join('、')}）`
      : projectScope.length > 0
        ? `${getSelectedName(projects, projectScope)}（分配给用户的项目）`
        : '没有项目，看不到任何项目的数据'
  return <Typography.Text>数据范围：{text}</Typography.Text>
}
