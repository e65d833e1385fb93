import type { IconVariant } from './iconName'

export const iconVariantText: Record<IconVariant, string> = {
  on: '正常',
  off: '关闭',
  offline: '离线',
  fault: '故障',
}
