import { toPickerDate } from '@iot/shared/client/zone'
import { DatePicker } from '@iot/shared/ui/datePicker'

type DateInputProps = {
  id?: string
  value?: string | null
  onChange?: (date: string | null) => void
}

/** Edits a date in the contract's format `YYYY-MM-DD`, without a time of day. */
export const DateInput = ({ id, value, onChange }: DateInputProps) => (
  <DatePicker
    id={id}
    value={value ? toPickerDate(value) : null}
    style={{ width: '100%' }}
    onChange={(date) => onChange?.(date ? date.format('YYYY-MM-DD') : null)}
  />
)
