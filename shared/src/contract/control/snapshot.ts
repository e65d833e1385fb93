import type { z } from 'zod'
import type { SnapshotInterval } from './snapshot.schema'

export const snapshotKindText = {
  project: '项目',
  building: '楼栋',
  floor: '楼层',
  area: '区域',
  room: '房间',
  device: '设备',
  group: '设备组',
  scene: '场景',
}
export type SnapshotKind = keyof typeof snapshotKindText
export const changeSign = { added: '＋', removed: '－', changed: '改' }
export const snapshotIntervalText: Record<z.infer<typeof SnapshotInterval>, string> = {
  off: '不定时拍摄',
  daily: '每天 03:00',
  weekly: '每周一 03:00',
}

/** Maximum manual snapshots; surplus automatic ones are deleted, the oldest first. */
export const maxManualSnapshots = 50
export const maxPreviewLines = 2000
