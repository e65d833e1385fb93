import Form from 'antd/es/form'
import type { Dayjs } from 'dayjs'
import { useAtomValue } from 'jotai'
import { serverNow } from '@iot/shared/client/serverClock'
import { fromPickerTime, toPickerTime } from '@iot/shared/client/zone'
import { formatWeekdays } from '@iot/shared/contract/project/calendarDay'
import { hourMs } from '@iot/shared/contract/duration'
import { maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import {
  MaintenanceWindow,
  MaintenanceWindowDraft,
  type MaintenanceWindowRow,
} from '@iot/shared/contract/alarm/incident.schema'
import { getSelectedName } from '@iot/shared/contract/options'
import { currentProjectIdAtom, projectOptionsAtom } from '@iot/shared/session/project'
import { DatePicker } from '@iot/shared/ui/datePicker'
import { field, formatValue } from '@iot/shared/ui/field'
import { createSaveCall, FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { useSpaceChoices } from './useSpaceChoices'

const sendWindow = createSaveCall(maintenanceWindowApi, MaintenanceWindowDraft)
const timeProps = {
  getValueProps: (value?: string) => ({ value: value ? toPickerTime(value) : undefined }),
  normalize: (value?: Dayjs | null) => value && fromPickerTime(value).toISOString(),
}
const pickerProps = { showTime: { format: 'HH:mm' }, format: 'YYYY-MM-DD HH:mm' } as const

const weekdayOptions = [1, 2, 3, 4, 5, 6, 7].map((value) => ({
  value,
  label: formatWeekdays([value]),
}))

type WindowFormProps = {
  window?: MaintenanceWindowRow
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function WindowForm({ window: savedWindow, onSaved, onClose }: WindowFormProps) {
  const [form] = Form.useForm<MaintenanceWindowDraft>()
  const currentProjectId = useAtomValue(currentProjectIdAtom)
  const projects = useAtomValue(projectOptionsAtom)
  const initial = savedWindow ?? {
    name: '',
    projectId: currentProjectId,
    spaceId: null,
    startTime: new Date(serverNow()).toISOString(),
    endTime: new Date(serverNow() + 2 * hourMs).toISOString(),
    weekdays: [],
    fromClock: '',
    toClock: '',
  }
  const watchedProjectId = Form.useWatch('projectId', form) as number | undefined
  const watchedWeekdays = Form.useWatch('weekdays', form) as number[] | undefined
  const isRecurring = (watchedWeekdays ?? initial.weekdays).length > 0
  const spaces = useSpaceChoices(watchedProjectId ?? initial.projectId)
  return (
    <FormDialog<MaintenanceWindowDraft>
      title={savedWindow ? '编辑维护窗口' : '新建维护窗口'}
      schema={MaintenanceWindow}
      initial={initial}
      send={sendWindow}
      show={(name, value) =>
        name === 'projectId'
          ? getSelectedName(projects, value)
          : name === 'spaceId'
            ? getSelectedName(spaces, value) || '整个项目'
            : name === 'weekdays'
              ? formatWeekdays(value as number[])
              : (name === 'startTime' || name === 'endTime') && formatValue(value)
      }
      form={form}
      draft="maintenanceWindow"
      onValuesChange={(changedValues) => {
        if ('projectId' in changedValues) form.setFieldsValue({ spaceId: null })
        if (changedValues.weekdays?.length === 0)
          form.setFieldsValue({ fromClock: '', toClock: '' })
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem of={MaintenanceWindowDraft} name="name" placeholder="如 二楼换灯" autoFocus />
      <Form.Item {...field(MaintenanceWindowDraft, 'projectId')}>
        <Select options={projects} />
      </Form.Item>
      <ChoiceItem
        of={MaintenanceWindowDraft}
        name="spaceId"
        allowClear
        placeholder="整个项目"
        options={spaces}
        extra="窗口期间不报告；结束后条件仍满足的才报告"
      />
      <Form.Item {...field(MaintenanceWindowDraft, 'startTime')} {...timeProps}>
        <DatePicker {...pickerProps} style={{ width: '100%' }} />
      </Form.Item>
      <Form.Item {...field(MaintenanceWindowDraft, 'endTime')} {...timeProps}>
        <DatePicker {...pickerProps} style={{ width: '100%' }} />
      </Form.Item>
      <ChoiceItem
        of={MaintenanceWindowDraft}
        name="weekdays"
        mode="multiple"
        allowClear
        placeholder="不重复"
        options={weekdayOptions}
        extra="选择后，只在开始到结束之间每周这几天的下列时间生效，按项目的时区"
      />
      {isRecurring && (
        <>
          <TextItem of={MaintenanceWindowDraft} name="fromClock" placeholder="22:00" />
          <TextItem
            of={MaintenanceWindowDraft}
            name="toClock"
            placeholder="06:00"
            extra="早于“每次从”为次日"
          />
        </>
      )}
    </FormDialog>
  )
}
