import { DatePicker } from 'antd'
import dayjs from 'dayjs'

type DateInputProps = {
  id?: string
  value?: string | null
  onChange?: (date: string | null) => void
}

/** Edits a date in the contract's format `YYYY-MM-DD`, without a time of day. */
export const DateInput = ({ id, value, onChange }: DateInputProps) => (
  <DatePicker
    id={id}
    value={value ? dayjs(value) : null}
    style={{ width: '100%' }}
    onChange={(date) => onChange?.(date ? date.format('YYYY-MM-DD') : null)}
  />
)
