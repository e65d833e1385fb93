import { fieldTitles } from '../fields'
import type { IconVariant } from './iconName'

export const iconVariantText: Record<IconVariant, string> = {
  on: '正常',
  off: '关闭',
  offline: '离线',
  fault: '故障',
}

export const iconTitles = {
  name: '图标名称',
  code: '图标编码',
  group: '分组',
  tags: '标签',
  usedCount: '使用处',
  updateTime: fieldTitles.updateTime,
}
