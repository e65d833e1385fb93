import ToolOutlined from '@ant-design/icons/ToolOutlined'
import { Link } from 'react-router-dom'
import { formatShortTime } from '@iot/shared/client/zone'
import { minuteMs } from '@iot/shared/contract/duration'
import { maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import type { CurrentWindow } from '@iot/shared/contract/alarm/incident.schema'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { usePolling } from '@iot/shared/ui/usePolling'
import { useServerTime } from '@iot/shared/ui/useServerTime'
import * as styles from './problems/problems.module.css'

const pollIntervalMs = minuteMs
/** From this long before its end a window is named, so that somebody can extend it. */
const endingMs = 15 * minuteMs

const describe = ({ name, place, until, heldCount }: CurrentWindow) =>
  `${name}（${place}）至 ${formatShortTime(until)}${heldCount > 0 ? `，${heldCount} 条告警未报告` : ''}`

/** Says how many maintenance windows hold back the incidents of a project now, and which of them is about to end. */
export function MaintenanceNote({ projectId }: { projectId: number }) {
  const can = useCan()
  const now = useServerTime()
  // A failed read is silent: the strip reports that home is not current, and the next read comes soon.
  const { data } = usePolling(
    maintenanceWindowApi.current,
    { projectId },
    { intervalMs: pollIntervalMs },
  )
  const windows = (data ?? []).filter(({ until }) => Date.parse(until) > now)
  const [first] = windows
  if (!first) return null
  const heldCount = windows.reduce((sum, window) => sum + window.heldCount, 0)
  const leftMs = Date.parse(first.until) - now
  const text = [
    `维护中 ${windows.length}`,
    heldCount > 0 && `未报告 ${heldCount}`,
    leftMs <= endingMs && `“${first.name}”${Math.ceil(leftMs / minuteMs)} 分钟后结束`,
  ]
    .filter(Boolean)
    .join(' · ')
  const content = (
    <>
      <ToolOutlined /> {text}
    </>
  )
  const title = windows.map(describe).join('\n')
  return can(maintenanceWindowApi.page) ? (
    <Link
      className={styles.maintenance}
      title={title}
      to={`${paths.system.alarm.rule()}?tab=windows&status=current`}
    >
      {content}
    </Link>
  ) : (
    <span className={styles.maintenance} title={title}>
      {content}
    </span>
  )
}
