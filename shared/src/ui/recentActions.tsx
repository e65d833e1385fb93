import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Space from 'antd/es/space'
import Typography from 'antd/es/typography'
import { Link } from 'react-router-dom'
import { call } from '../client/call'
import { actionLogApi } from '../contract/access/actionLog.api'
import { paths } from '../screens/paths'
import { ActionLines } from './actionLines'
import { useRefusalReason } from './right'
import { LoadErrorAlert } from './usePage'

const lineCount = 8

type RecentActionsProps = {
  /** The actions of this account, on the object with this id, or on a space and what is in it. */
  of: { actor: string } | { entityId: string } | { spaceId: string }
  title?: string
  /** Further links to the audit log. */
  links?: { label: string; entityId: string }[]
}

/** Shows the newest audit log entries on the page of a user or an object; the audit log has the rest. */
export function RecentActions({ of, title = '操作记录', links = [] }: RecentActionsProps) {
  const refusal = useRefusalReason()(actionLogApi.page)
  const { data, error, refresh } = useRequest(
    () => call(actionLogApi.page, { ...of, pageSize: lineCount }, { inline: true }),
    { ready: !refusal, refreshDeps: [JSON.stringify(of)] },
  )
  return (
    <Flex vertical gap={8}>
      <Flex justify="space-between" align="center">
        <strong>{title}</strong>
        {!refusal && (
          <Space size={16}>
            <Link to={paths.system.log.actionLog(of)}>全部操作</Link>
            {links.map(({ label, entityId }) => (
              <Link key={entityId} to={paths.system.log.actionLog({ entityId })}>
                {label}
              </Link>
            ))}
          </Space>
        )}
      </Flex>
      {refusal && <Typography.Text type="secondary">{refusal}</Typography.Text>}
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {data ? (
        <ActionLines
          logs={data.list}
          names={'actor' in of ? 'object' : 'spaceId' in of ? 'both' : 'user'}
        />
      ) : (
        !refusal && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />
      )}
    </Flex>
  )
}
