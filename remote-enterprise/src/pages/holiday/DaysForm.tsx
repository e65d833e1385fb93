import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import { DaysDraft, type CalendarDay } from '@iot/shared/contract/project/calendar.schema'
import { holidayApi } from '@iot/shared/contract/project/calendar.api'
import {
  datesBetween,
  dayTypeText,
  isDayOff,
  getWeekdayName,
} from '@iot/shared/contract/project/calendarDay'
import { toTextOptions } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { DateInput } from './DateInput'

const dayTypeOptions = toTextOptions(dayTypeText)
const dayOffOptions = [
  { value: true, label: '休息' },
  { value: false, label: '上班' },
]

type DaysFormProps = {
  calendarId: string
  /** The days are those of the year on the page. */
  days: CalendarDay[]
  range: { from: string; to: string }
  onSaved: () => void
  onClose: () => void
}

export default function DaysForm({ calendarId, days, range, onSaved, onClose }: DaysFormProps) {
  const [form] = Form.useForm<DaysDraft>()
  const daysByDate = new Map(days.map((day) => [day.date, day]))
  const firstDay = daysByDate.get(range.from)
  // A click on an ordinary day means that its type should change, so the form starts as a custom day off.
  const firstSpecialDay = firstDay?.source === 'week' ? undefined : firstDay
  const { from, to, type, isOff } = { ...range, ...Form.useWatch([], form) }
  const dates = from && to ? datesBetween(from, to) : []
  const daysOffCount = dates.filter((date) => daysByDate.get(date)?.isOff).length
  const workOrRestLabel = type && isDayOff(type, isOff) ? '休息' : '上班'

  return (
    <FormDialog<DaysDraft>
      title="设置日期"
      schema={DaysDraft}
      initial={{
        ...range,
        type: firstSpecialDay?.type ?? 'custom',
        name: firstSpecialDay?.name ?? '',
        isOff: firstSpecialDay?.isOff ?? true,
      }}
      draft={`days/${calendarId}/${range.from}/${range.to}`}
      to={holidayApi.set}
      send={(draft, _, options) => {
        const knownVersions = datesBetween(draft.from, draft.to).flatMap((date) => {
          const version = daysByDate.get(date)?.version ?? 0
          return version > 0 ? [[date, version] as const] : []
        })
        return call(
          holidayApi.set,
          { ...draft, id: calendarId, seen: Object.fromEntries(knownVersions) },
          options,
        )
      }}
      form={form}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Form.Item {...field(DaysDraft, 'from')}>
        <DateInput />
      </Form.Item>
      <Form.Item
        {...field(DaysDraft, 'to')}
        extra={
          dates.length > 0 &&
          `${getWeekdayName(dates[0]!)}${dates.length > 1 ? `至${getWeekdayName(dates.at(-1)!)}` : ''}，共 ${dates.length} 天（现在休息 ${daysOffCount} 天），设置后都${workOrRestLabel}`
        }
      >
        <DateInput />
      </Form.Item>
      <ChoiceItem of={DaysDraft} name="type" options={dayTypeOptions} />
      {type === 'custom' && (
        <RadioItem of={DaysDraft} name="isOff" options={dayOffOptions} optionType="button" />
      )}
      <TextItem of={DaysDraft} name="name" placeholder="如 国庆节、设备检修" />
    </FormDialog>
  )
}
