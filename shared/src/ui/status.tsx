import { Tag } from 'antd'
import { statusText, type Status } from '../contract/fields'

/** 启用 or 禁用, readable without its colour. */
export const StatusTag = ({ status }: { status: Status }) => (
  <Tag color={status === 'enabled' ? 'success' : 'default'}>{statusText[status]}</Tag>
)

export const statusOptions = (['enabled', 'disabled'] as const).map((value) => ({
  value,
  label: statusText[value],
}))
