import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import { handoverApi } from '@iot/shared/contract/control/handover.api'
import { ShiftTimes, type StoredShiftTimes } from '@iot/shared/contract/control/handover.schema'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { Select } from '@iot/shared/ui/select'

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

type ShiftTimesFormProps = {
  projectId: number
  shifts: StoredShiftTimes
  onSaved: () => void
  onClose: () => void
}

/** Sets when the shifts of the project begin. */
export default function ShiftTimesForm({
  projectId,
  shifts,
  onSaved,
  onClose,
}: ShiftTimesFormProps) {
  return (
    <FormDialog<ShiftTimes>
      title="设置班次"
      schema={ShiftTimes}
      initial={shifts}
      draft="shiftTimes"
      to={handoverApi.setShifts}
      send={({ starts }, revision, options) =>
        call(handoverApi.setShifts, { projectId, version: revision!.version, starts }, options)
      }
      words={{ ok: '保存', done: '已保存班次' }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Form.Item
        {...field(ShiftTimes, 'starts')}
        extra="整点可选，也可输入如 07:30；每班到下一班开始为止"
      >
        <Select mode="tags" options={hours.map((value) => ({ value }))} />
      </Form.Item>
    </FormDialog>
  )
}
