import { Tag } from 'antd'
import { statusText, type Status } from '../contract/fields'

/** Only the exception is set off: most rows are in use. */
export const StatusTag = ({ status }: { status: Status }) =>
  status === 'enabled' ? statusText.enabled : <Tag>{statusText.disabled}</Tag>

export const statusOptions = (['enabled', 'disabled'] as const).map((value) => ({
  value,
  label: statusText[value],
}))
