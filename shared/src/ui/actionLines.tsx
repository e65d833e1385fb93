import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import type { ActionLog } from '../contract/access/actionLog.schema'
import { describeChanges } from './describeChanges'
import { formatValue } from './field'

type ActionLinesProps = {
  logs: ActionLog[]
  /** Each entry names what it does not share with the others: its object, its user, or both. */
  names?: 'user' | 'object' | 'both'
}

/** Lists audit log entries: what was done, whether it succeeded, and what it changed. */
export function ActionLines({ logs, names = 'object' }: ActionLinesProps) {
  if (logs.length === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有操作记录" />
  return (
    <Flex component="ul" vertical gap={8} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
      {logs.map((log) => (
        <li key={log.id}>
          <Flex justify="space-between" gap={12}>
            <span style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
              {[log.verb, names !== 'user' && log.entityName, names !== 'object' && log.username]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <Typography.Text type="secondary" style={{ flex: 'none' }}>
              {formatValue(log.time)}
            </Typography.Text>
          </Flex>
          <ActionOutcome log={log} />
        </li>
      ))}
    </Flex>
  )
}

/** A failed action shows its reason, a bulk call the number of its rows. */
function ActionOutcome({ log: { ok, reason, parts, changes } }: { log: ActionLog }) {
  if (!ok) return <Typography.Text type="danger">未成功：{reason}</Typography.Text>
  const text = parts > 0 ? `共 ${parts} 条` : changes.length > 0 && describeChanges(changes)
  return (
    text && (
      <Typography.Text type="secondary" ellipsis={{ tooltip: text }}>
        {text}
      </Typography.Text>
    )
  )
}
