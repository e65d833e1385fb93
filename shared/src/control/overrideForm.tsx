import Form from 'antd/es/form'
import Input from 'antd/es/input'
import Radio from 'antd/es/radio'
import type { Dayjs } from 'dayjs'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { call } from '../client/call'
import { fromPickerTime, nowForPicker, toPickerTime } from '../client/zone'
import { maxOverrideDays } from '../contract/control/manualOverride'
import { ManualOverrideDraft, type OverrideScope } from '../contract/control/manualOverride.schema'
import { manualOverrideApi } from '../contract/control/manualOverride.api'
import { overrideRevisionAtom } from '../session/overrides'
import { DatePicker } from '../ui/datePicker'
import { field } from '../ui/field'
import { FormDialog } from '../ui/formDialog'

const buildPresets = () => [
  { label: '1 小时后', value: nowForPicker().add(1, 'hour') },
  { label: '2 小时后', value: nowForPicker().add(2, 'hour') },
  { label: '今天 18:30', value: nowForPicker().startOf('day').hour(18).minute(30) },
  { label: '明天 8:00', value: nowForPicker().add(1, 'day').startOf('day').hour(8) },
]
/** An override of a meeting, the most frequent one, lasts about this long. */
const defaultHours = 2

/** A place that can be held, with the name that the form shows. */
export type HoldChoice = { name: string; scope: OverrideScope }

type OverrideFormProps = {
  projectId: number
  /** The first choice is preselected. */
  choices: [HoldChoice, ...HoldChoice[]]
  onClose: () => void
}

/** Form for a manual override: until when scenes and bulk commands skip the lamps. */
export default function OverrideForm({ projectId, choices, onClose }: OverrideFormProps) {
  const setRevision = useSetAtom(overrideRevisionAtom)
  const [choiceIndex, setChoiceIndex] = useState(0)
  const { name, scope } = choices[choiceIndex]!
  return (
    <FormDialog<ManualOverrideDraft>
      title={`手动保持：${name}`}
      schema={ManualOverrideDraft}
      initial={{
        projectId,
        scope,
        until: toIso(nowForPicker().add(defaultHours, 'hour')),
        reason: '',
      }}
      draft={`manualOverride/${JSON.stringify(choices[0].scope)}`}
      to={manualOverrideApi.create}
      send={(draft, _, options) =>
        call(manualOverrideApi.create, { ...draft, projectId, scope }, options)
      }
      words={{ ok: '保持', done: `${name}已保持，场景和批量操作会跳过` }}
      onSaved={() => setRevision((count) => count + 1)}
      onClose={onClose}
    >
      {choices.length > 1 && (
        <Form.Item label="范围">
          <Radio.Group
            value={choiceIndex}
            options={choices.map((choice, value) => ({ value, label: choice.name }))}
            onChange={({ target }) => setChoiceIndex(target.value as number)}
          />
        </Form.Item>
      )}
      <Form.Item
        {...field(ManualOverrideDraft, 'until')}
        extra={`到时自动解除，最长 ${maxOverrideDays} 天；期间场景和批量操作跳过，单灯控制时先问`}
        getValueProps={(until: string) => ({ value: until ? toPickerTime(until) : null })}
        getValueFromEvent={(until: Dayjs | null) => (until ? toIso(until) : '')}
      >
        <DatePicker
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          allowClear={false}
          presets={buildPresets()}
          minDate={nowForPicker()}
          maxDate={nowForPicker().add(maxOverrideDays, 'day')}
          style={{ width: '100%' }}
        />
      </Form.Item>
      <Form.Item {...field(ManualOverrideDraft, 'reason')}>
        <Input placeholder="可不填，如：会议到 18:30" />
      </Form.Item>
    </FormDialog>
  )
}

const toIso = (time: Dayjs) => fromPickerTime(time.second(0).millisecond(0)).toISOString()
