import { Form } from 'antd'
import { call } from '@iot/shared/client/call'
import { DaysDraft, holidayApi, type CalendarDay } from '@iot/shared/contract/calendar'
import { datesBetween, dayTypeText, isOffBy, weekdayNameOf } from '@iot/shared/contract/calendarDay'
import { optionsOf } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { DateInput } from './DateInput'

const types = optionsOf(dayTypeText)
const offOrNot = [
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
  const byDate = new Map(days.map((day) => [day.date, day]))
  const there = byDate.get(range.from)
  // A click on an ordinary day means that its type should change, so the form starts as a custom day off.
  const first = there?.source === 'week' ? undefined : there
  const { from, to, type, isOff } = { ...range, ...Form.useWatch([], form) }
  const dates = from && to ? datesBetween(from, to) : []
  const rest = dates.filter((date) => byDate.get(date)?.isOff).length
  const word = type && isOffBy(type, isOff) ? '休息' : '上班'

  return (
    <FormDialog<DaysDraft>
      title="设置日期"
      schema={DaysDraft}
      initial={{
        ...range,
        type: first?.type ?? 'custom',
        name: first?.name ?? '',
        isOff: first?.isOff ?? true,
      }}
      to={holidayApi.set}
      send={(draft, _, options) => {
        const seen = datesBetween(draft.from, draft.to).flatMap((date) => {
          const version = byDate.get(date)?.version ?? 0
          return version > 0 ? [[date, version] as const] : []
        })
        return call(
          holidayApi.set,
          { ...draft, id: calendarId, seen: Object.fromEntries(seen) },
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
          `${weekdayNameOf(dates[0]!)}${dates.length > 1 ? `至${weekdayNameOf(dates.at(-1)!)}` : ''}，共 ${dates.length} 天（现在休息 ${rest} 天），设置后都${word}`
        }
      >
        <DateInput />
      </Form.Item>
      <ChoiceItem of={DaysDraft} name="type" options={types} />
      {type === 'custom' && (
        <RadioItem of={DaysDraft} name="isOff" options={offOrNot} optionType="button" />
      )}
      <TextItem of={DaysDraft} name="name" placeholder="如 国庆节、设备检修" />
    </FormDialog>
  )
}
