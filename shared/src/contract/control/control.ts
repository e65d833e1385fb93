import type { LedgerState } from './control.schema'

export const ledgerStateText: Record<LedgerState, string> = {
  queued: '排队',
  sent: '已下发',
  delivered: '已送达',
  success: '成功',
  confirmed: '已确认（未上报）',
  timeout: '超时',
  failed: '失败',
  unknown: '结果未知',
  overridden: '被覆盖',
  skipped: '已跳过',
  cancelled: '已取消',
}
