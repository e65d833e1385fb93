import type { IncidentKind, ShiftChange } from './shift.schema'

export const incidentKindText: Record<IncidentKind, string> = {
  offline: '离线',
  fault: '故障',
  alarm: '告警',
  failed: '命令失败',
}
export const changeOriginText: Record<ShiftChange['origin'], string> = {
  action: '批量动作',
  scene: '场景',
  set: '手动',
  retry: '重试',
  undo: '恢复原状',
  config: '配置',
}
