import type { EdgeState } from './edgeHost.schema'

export const edgeStateText: Record<EdgeState, string> = {
  inactive: '未激活',
  online: '在线',
  degraded: '降级',
  offline: '离线',
  disabled: '禁用',
}
/** Usage of CPU, memory or disk in percent from which a host counts as degraded. */
export const degradedUsagePercent = 90
/** Number of intervals without a heartbeat after which a host counts as late. */
export const maxMissedHeartbeats = 3
