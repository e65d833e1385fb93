import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import { call } from '@iot/shared/client/call'
import { SessionRow } from '@iot/shared/contract/access/auth.schema'
import type { User } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column } from '@iot/shared/ui/field'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'

/** Lists the open sessions of a user; all of them can be ended at once. */
export function UserSessions({ user }: { user: User }) {
  const { message } = useFeedback()
  const { data, error, loading, refresh } = useRequest(
    () => call(userApi.sessions, { id: user.id }, { inline: true }),
    { refreshDeps: [user.id, user.version] },
  )
  const { run: kick, loading: isKicking } = useRequest(
    () =>
      call(userApi.kick, { id: user.id })
        .then(({ revoked }) => void message.success(`已下线 ${revoked} 个会话`))
        .catch(ignoreHandled),
    { manual: true, onSuccess: refresh },
  )
  return (
    <Flex vertical gap={8}>
      <Flex justify="space-between" align="center">
        <strong>登录会话</strong>
        <Can to={userApi.kick} unless={data?.length === 0 && '没有在线的会话'}>
          <Button size="small" danger loading={isKicking} onClick={kick}>
            全部踢下线
          </Button>
        </Can>
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table
        size="small"
        rowKey="id"
        loading={loading && !data}
        dataSource={data}
        pagination={{ pageSize: 5, hideOnSinglePage: true, showSizeChanger: false, size: 'small' }}
        scroll={{ x: 560 }}
        locale={buildEmptyLocale(data, '现在没有登录')}
        columns={[
          { ...column(SessionRow, 'device'), ellipsis: true },
          { ...column(SessionRow, 'address'), width: 130 },
          { ...column(SessionRow, 'createTime'), width: 152 },
          { ...column(SessionRow, 'lastSeen'), width: 152 },
        ]}
      />
    </Flex>
  )
}
