import Form from 'antd/es/form'
import Input from 'antd/es/input'
import type { Dayjs } from 'dayjs'
import { call } from '../client/call'
import type { ControlTask } from '../contract/control/control.schema'
import { HoldOffNoteDraft } from '../contract/control/holdOffNote.schema'
import { holdApi } from '../contract/control/holdOffNote.api'
import { DatePicker } from '../ui/datePicker'
import { field } from '../ui/field'
import { FormDialog } from '../ui/formDialog'
import { fromPickerTime, nowForPicker, toPickerTime } from '../client/zone'

const buildPresets = () => [
  { label: '2 小时后', value: nowForPicker().add(2, 'hour') },
  { label: '8 小时后', value: nowForPicker().add(8, 'hour') },
  { label: '明天 8:00', value: nowForPicker().add(1, 'day').startOf('day').hour(8) },
]

type HoldFormProps = { task: ControlTask; onSaved: () => void; onClose: () => void }

/** Form for a hold-off note: tells the next shift which result must stay, and why. */
export default function HoldForm({ task, onSaved, onClose }: HoldFormProps) {
  return (
    <FormDialog<HoldOffNoteDraft>
      title={`值班备注：${task.title}`}
      schema={HoldOffNoteDraft}
      initial={{ taskId: task.id, reason: '', until: null }}
      draft={`holdOffNote/${task.id}`}
      to={holdApi.create}
      send={(draft, _, options) => call(holdApi.create, draft, options)}
      words={{ ok: '添加', done: '已添加，首页和交接可见' }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Form.Item {...field(HoldOffNoteDraft, 'reason')}>
        <Input placeholder="请输入原因，如：三层施工到 18:00" />
      </Form.Item>
      <Form.Item
        {...field(HoldOffNoteDraft, 'until')}
        extra="备注不会拦住定时场景和别人的操作；被改动时首页会说明"
        getValueProps={(until: string | null) => ({ value: until ? toPickerTime(until) : null })}
        getValueFromEvent={(until: Dayjs | null) =>
          until ? fromPickerTime(until.second(0).millisecond(0)).toISOString() : null
        }
      >
        <DatePicker
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          presets={buildPresets()}
          minDate={nowForPicker()}
          placeholder="直到手动解除"
          style={{ width: '100%' }}
        />
      </Form.Item>
    </FormDialog>
  )
}
