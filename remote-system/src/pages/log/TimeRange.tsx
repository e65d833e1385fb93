import type { Dayjs } from 'dayjs'
import type { PickerInitialState } from '@iot/shared/ui/onDemand'
import { RangePicker } from '@iot/shared/ui/datePicker'
import { fromPickerTime, nowForPicker, toPickerTime } from '@iot/shared/client/zone'

const getStartOfToday = () => nowForPicker().startOf('day')
const getEndOfToday = () => nowForPicker().endOf('day')
const getStartOfYesterday = () => getStartOfToday().subtract(1, 'day')
const lastDays = (days: number) => () => [
  getStartOfToday().subtract(days - 1, 'day'),
  getEndOfToday(),
]
const presets = [
  { label: '今天', value: () => [getStartOfToday(), getEndOfToday()] },
  { label: '昨天', value: () => [getStartOfYesterday(), getStartOfYesterday().endOf('day')] },
  { label: '近 7 天', value: lastDays(7) },
  { label: '近 30 天', value: lastDays(30) },
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
}: TimeRangeProps & PickerInitialState) {
  return (
    <RangePicker
      needConfirm={false}
      autoFocus={autoFocus}
      defaultOpen={defaultOpen}
      showTime={{ format: 'HH:mm', defaultOpenValue: [getStartOfToday(), getEndOfToday()] }}
      format="YYYY-MM-DD HH:mm"
      presets={presets}
      value={from && to ? [toPickerTime(from), toPickerTime(to)] : null}
      onChange={(range) =>
        onChange({
          from: range?.[0] ? fromPickerTime(range[0]).toISOString() : undefined,
          to: range?.[1] ? fromPickerTime(range[1]).toISOString() : undefined,
        })
      }
      style={{ width: 320, maxWidth: '100%' }}
    />
  )
}
