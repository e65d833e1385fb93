import { Form, Select } from 'antd'
import { useAtomValue } from 'jotai'
import { Calendar, CalendarDraft, calendarApi, isCalendarFor } from '@iot/shared/contract/calendar'
import { weekendModeText, type WeekendMode } from '@iot/shared/contract/calendarDay'
import { chosenName, namedOptions, optionsOf } from '@iot/shared/contract/options'
import { platformOnly } from '@iot/shared/contract/ownership'
import { useOwnership } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, sendTo } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { taken } from '@iot/shared/ui/taken'
import { DateInput } from './DateInput'

const blank: CalendarDraft = {
  name: '',
  code: '',
  projectId: null,
  parentId: null,
  weekendMode: 'double',
  alternateFrom: null,
  description: '',
}
const everyProject = '全部项目'
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
  const refuseChange = useOwnership()
  const mayShare = !refuseChange([])
  const current = useAtomValue(currentProjectIdAtom)
  const projects = useAtomValue(projectOptionsAtom)
  const initial = calendar ?? { ...blank, projectId: mayShare ? null : current }
  const watched = Form.useWatch('projectId', form) as number | null | undefined
  const projectId = watched === undefined ? initial.projectId : watched
  const within = { within: 'projectId', withinValue: String(projectId ?? 0) }
  const above = calendars.filter((one) => one.id !== calendar?.id && isCalendarFor(projectId, one))

  return (
    <FormDialog<CalendarDraft>
      title={calendar ? '编辑日历' : '新建日历'}
      schema={Calendar}
      initial={initial}
      send={sendTo(calendarApi, CalendarDraft)}
      show={(name, value) =>
        name === 'weekendMode'
          ? weekendModeText[value as WeekendMode]
          : name === 'parentId'
            ? (calendars.find(({ id }) => id === value)?.name ?? '不继承')
            : name === 'projectId' && (value === null ? everyProject : chosenName(projects, value))
      }
      form={form}
      draft="calendar"
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem
        of={CalendarDraft}
        name="name"
        check={taken('calendar', 'name', calendar?.id, within)}
        dependencies={['projectId']}
        autoFocus
      />
      <TextItem
        of={CalendarDraft}
        name="code"
        check={taken('calendar', 'code', calendar?.id)}
        disabled={calendar !== undefined}
        placeholder="如 factory"
      />
      <Form.Item
        {...field(CalendarDraft, 'projectId')}
        extra={
          mayShare
            ? '全部项目共用，或只给一个项目用；创建后不能修改'
            : `全部项目共用的日历${platformOnly}`
        }
        getValueProps={(value: number | null) => ({ value: value ?? 0 })}
        normalize={(value: number) => value || null}
      >
        <Select
          disabled={calendar !== undefined}
          options={[{ value: 0, label: everyProject, disabled: !mayShare }, ...projects]}
        />
      </Form.Item>
      <ChoiceItem
        of={CalendarDraft}
        name="parentId"
        extra="自己没有设置的日期，按所继承的日历；每周休息各按各的"
        allowClear
        placeholder="不继承"
        options={namedOptions(above)}
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
