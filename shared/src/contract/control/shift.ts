import type { ShiftChange } from './shift.schema'

export const changeOriginText: Record<ShiftChange['origin'], string> = {
  action: '批量动作',
  scene: '场景',
  set: '手动',
  retry: '重试',
  undo: '恢复原状',
  config: '配置',
}
