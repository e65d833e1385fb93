import { DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import type { Continued } from '@iot/shared/ui/onDemand'
import { fromPicker, pickerNow, toPicker } from '@iot/shared/client/zone'

const today = () => pickerNow().startOf('day')
const tonight = () => pickerNow().endOf('day')
const yesterday = () => today().subtract(1, 'day')
const since = (days: number) => () => [today().subtract(days - 1, 'day'), tonight()]
const presets = [
  { label: '今天', value: () => [today(), tonight()] },
  { label: '昨天', value: () => [yesterday(), yesterday().endOf('day')] },
  { label: '近 7 天', value: since(7) },
  { label: '近 30 天', value: since(30) },
] as { label: string; value: () => [Dayjs, Dayjs] }[]

export type TimeRangeProps = {
  from?: string
  to?: string
  onChange: (range: { from?: string; to?: string }) => void
}

/** Edits the filters `from` and `to` as one range. */
export default function TimeRange({
  from,
  to,
  onChange,
  autoFocus,
  defaultOpen,
}: TimeRangeProps & Continued) {
  return (
    <DatePicker.RangePicker
      autoFocus={autoFocus}
      defaultOpen={defaultOpen}
      showTime={{ format: 'HH:mm', defaultOpenValue: [today(), tonight()] }}
      format="YYYY-MM-DD HH:mm"
      presets={presets}
      value={from && to ? [toPicker(from), toPicker(to)] : null}
      onChange={(range) =>
        onChange({
          from: range?.[0] ? fromPicker(range[0]).toISOString() : undefined,
          to: range?.[1] ? fromPicker(range[1]).toISOString() : undefined,
        })
      }
      style={{ width: 320, maxWidth: '100%' }}
    />
  )
}
