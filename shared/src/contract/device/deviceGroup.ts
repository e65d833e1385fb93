import type { GroupKind, GroupTag } from './deviceGroup.schema'

export const groupKindText: Record<GroupKind, string> = { hand: '手动选择', rule: '按规则' }
export const formatTag = ({ key, value }: GroupTag) => `${key}：${value}`

export const maxGroupDevices = 1000
