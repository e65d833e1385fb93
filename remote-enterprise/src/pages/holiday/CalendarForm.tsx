import Form from 'antd/es/form'
import { useAtomValue } from 'jotai'
import { canUseCalendar } from '@iot/shared/contract/project/calendar'
import { Calendar, CalendarDraft } from '@iot/shared/contract/project/calendar.schema'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { weekendModeText, type WeekendMode } from '@iot/shared/contract/project/calendarDay'
import { getSelectedName, toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import { useOwnershipRefusal } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, createSaveCall } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { DateInput } from './DateInput'

const blankCalendar: CalendarDraft = {
  name: '',
  code: '',
  projectId: null,
  parentId: null,
  weekendMode: 'double',
  alternateFrom: null,
  description: '',
}
const allProjectsLabel = '全部项目'
const weekendModeOptions = toTextOptions(weekendModeText)

type CalendarFormProps = {
  calendar?: Calendar
  calendars: Calendar[]
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function CalendarForm({ calendar, calendars, onSaved, onClose }: CalendarFormProps) {
  const [form] = Form.useForm<CalendarDraft>()
  const selectedMode = Form.useWatch('weekendMode', form) ?? calendar?.weekendMode
  const refuseChange = useOwnershipRefusal()
  const canShare = !refuseChange([])
  const currentProjectId = useAtomValue(currentProjectIdAtom)
  const projects = useAtomValue(projectOptionsAtom)
  const initial = calendar ?? { ...blankCalendar, projectId: canShare ? null : currentProjectId }
  const watchedProjectId = Form.useWatch('projectId', form) as number | null | undefined
  const projectId = watchedProjectId === undefined ? initial.projectId : watchedProjectId
  const uniqueWithin = { within: 'projectId', withinValue: String(projectId ?? 0) }
  const parentCalendars = calendars.filter(
    (candidate) => candidate.id !== calendar?.id && canUseCalendar(projectId, candidate),
  )

  return (
    <FormDialog<CalendarDraft>
      title={calendar ? '编辑日历' : '新建日历'}
      schema={Calendar}
      initial={initial}
      send={createSaveCall(calendarApi, CalendarDraft)}
      show={(name, value) =>
        name === 'weekendMode'
          ? weekendModeText[value as WeekendMode]
          : name === 'parentId'
            ? (calendars.find(({ id }) => id === value)?.name ?? '不继承')
            : name === 'projectId' &&
              (value === null ? allProjectsLabel : getSelectedName(projects, value))
      }
      form={form}
      draft="calendar"
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem
        of={CalendarDraft}
        name="name"
        check={uniqueCheck('calendar', 'name', calendar?.id, uniqueWithin)}
        dependencies={['projectId']}
        autoFocus
      />
      <TextItem
        of={CalendarDraft}
        name="code"
        check={uniqueCheck('calendar', 'code', calendar?.id)}
        disabled={calendar !== undefined}
        placeholder="如 factory"
      />
      <Form.Item
        {...field(CalendarDraft, 'projectId')}
        extra={
          canShare
            ? '全部项目共用，或只给一个项目用；创建后不能修改'
            : `全部项目共用的日历${platformOnlyReason}`
        }
        getValueProps={(value: number | null) => ({ value: value ?? 0 })}
        normalize={(value: number) => value || null}
      >
        <Select
          disabled={calendar !== undefined}
          options={[{ value: 0, label: allProjectsLabel, disabled: !canShare }, ...projects]}
        />
      </Form.Item>
      <ChoiceItem
        of={CalendarDraft}
        name="parentId"
        extra="自己没有设置的日期，按所继承的日历；每周休息各按各的"
        allowClear
        placeholder="不继承"
        options={toRowOptions(parentCalendars)}
      />
      <RadioItem
        of={CalendarDraft}
        name="weekendMode"
        options={weekendModeOptions}
        optionType="button"
      />
      {selectedMode === 'alternate' && (
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
