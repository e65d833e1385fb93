import { Form } from 'antd'
import { Calendar, CalendarDraft, calendarApi } from '@iot/shared/contract/calendar'
import { weekendModeText, type WeekendMode } from '@iot/shared/contract/calendarDay'
import { namedOptions, optionsOf } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog, sendTo } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { taken } from '@iot/shared/ui/taken'
import { DateInput } from './DateInput'

const blank: CalendarDraft = {
  name: '',
  code: '',
  parentId: null,
  weekendMode: 'double',
  alternateFrom: null,
  description: '',
}
const modes = optionsOf(weekendModeText)

type CalendarFormProps = {
  calendar?: Calendar
  calendars: Calendar[]
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function CalendarForm({ calendar, calendars, onSaved, onClose }: CalendarFormProps) {
  const [form] = Form.useForm<CalendarDraft>()
  const mode = Form.useWatch('weekendMode', form) ?? calendar?.weekendMode

  return (
    <FormDialog<CalendarDraft>
      title={calendar ? '编辑日历' : '新建日历'}
      schema={Calendar}
      initial={calendar ?? blank}
      send={sendTo(calendarApi, CalendarDraft)}
      show={(name, value) =>
        name === 'weekendMode'
          ? weekendModeText[value as WeekendMode]
          : name === 'parentId' && (calendars.find(({ id }) => id === value)?.name ?? '不继承')
      }
      form={form}
      draft="calendar"
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem
        of={CalendarDraft}
        name="name"
        check={taken('calendar', 'name', calendar?.id)}
        autoFocus
      />
      <TextItem
        of={CalendarDraft}
        name="code"
        check={taken('calendar', 'code', calendar?.id)}
        disabled={calendar !== undefined}
        placeholder="如 factory"
      />
      <ChoiceItem
        of={CalendarDraft}
        name="parentId"
        extra="自己没有设置的日期，按所继承的日历；每周休息各按各的"
        allowClear
        placeholder="不继承"
        options={namedOptions(calendars.filter(({ id }) => id !== calendar?.id))}
      />
      <RadioItem of={CalendarDraft} name="weekendMode" options={modes} optionType="button" />
      {mode === 'alternate' && (
        <Form.Item
          {...field(CalendarDraft, 'alternateFrom')}
          required
          extra="这一周休两天，下一周休一天，依次轮换"
        >
          <DateInput />
        </Form.Item>
      )}
      <NotesItem of={CalendarDraft} name="description" />
    </FormDialog>
  )
}
