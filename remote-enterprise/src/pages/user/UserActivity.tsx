import { useRequest } from 'ahooks'
import { Flex, Skeleton, Space, Typography } from 'antd'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { actionLogApi } from '@iot/shared/contract/actionLog.api'
import type { User } from '@iot/shared/contract/user.schema'
import { paths } from '@iot/shared/screens/paths'
import { ActionLines } from '@iot/shared/ui/actionLines'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

const lineCount = 8

/** Shows what the user did last; the audit log has the rest. */
export function UserActivity({ user: { id, username } }: { user: User }) {
  const refusal = useRefusalReason()(actionLogApi.page)
  const { data, error, refresh } = useRequest(
    () => call(actionLogApi.page, { actor: username, pageSize: lineCount }, { inline: true }),
    { ready: !refusal, refreshDeps: [id] },
  )
  return (
    <Flex vertical gap={8}>
      <Flex justify="space-between" align="center">
        <strong>最近操作</strong>
        {!refusal && (
          <Space size={16}>
            <Link to={paths.system.log.actionLog({ actor: username })}>全部操作</Link>
            <Link to={paths.system.log.actionLog({ entityId: id })}>对此账号的修改</Link>
          </Space>
        )}
      </Flex>
      {refusal && <Typography.Text type="secondary">{refusal}</Typography.Text>}
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {data ? (
        <ActionLines logs={data.list} />
      ) : (
        !refusal && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />
      )}
    </Flex>
  )
}
