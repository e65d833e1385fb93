import { Button, Checkbox, Form, Select, Segmented, Space, TimePicker } from 'antd'
import { dayTypeText, type DayType } from '@iot/shared/contract/calendarDay'
import { toRowOptions } from '@iot/shared/contract/options'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import { dayModeText, type DayMode } from '@iot/shared/contract/scene'
import { Scene, type Trigger } from '@iot/shared/contract/scene.schema'
import { field } from '@iot/shared/ui/field'
import { fullRowStyle } from '@iot/shared/ui/formDialog'
import { NumberItem } from '@iot/shared/ui/items'
import { clockField } from './Triggers'
import type { SceneOptions } from './useSceneOptions'
import * as styles from './scene.module.css'

const dayTypeOptions = (Object.keys(dayTypeText) as DayType[]).map((value) => ({
  value,
  label: dayTypeText[value],
}))
const dayModeHints: Record<DayMode, string> = {
  ignore: '不看日历，只看星期',
  avoid: '所选类型的日子不执行',
  only: '只在所选类型的日子执行，星期也要符合',
  asSunday: '所选类型的日子当作星期日',
}
const allWeekdays = [1, 2, 3, 4, 5, 6, 7]
const mondayToFriday = [1, 2, 3, 4, 5]
/** Each preset sets all fields, so that an earlier preset leaves no trace. */
type DayRulePreset = { label: string; dayMode: DayMode; dayTypes: DayType[]; weekdays: number[] }
const presets: DayRulePreset[] = [
  {
    label: '工作日（含调休上班）',
    dayMode: 'only',
    weekdays: allWeekdays,
    dayTypes: ['workday', 'makeup'],
  },
  {
    label: '休息日',
    dayMode: 'only',
    weekdays: allWeekdays,
    dayTypes: ['statutory', 'lieu', 'weekend'],
  },
  {
    label: '避开节假日（周一至周五）',
    dayMode: 'avoid',
    weekdays: mondayToFriday,
    dayTypes: ['statutory', 'lieu'],
  },
]

/** Edits how the business calendar affects a scene, and when the scene is suspended. */
export function DayRules({ options }: { options: SceneOptions }) {
  const form = Form.useFormInstance()
  const mode = (Form.useWatch('dayMode', form) ?? 'ignore') as DayMode
  const applyPreset = ({ dayMode, dayTypes, weekdays }: DayRulePreset) => {
    const triggers = form.getFieldValue('triggers') as Trigger[]
    form.setFieldsValue({
      dayMode,
      dayTypes,
      triggers: triggers.map((trigger) =>
        'weekdays' in trigger ? { ...trigger, weekdays } : trigger,
      ),
    })
  }
  return (
    <>
      <div style={fullRowStyle}>
        <Space wrap style={{ marginBottom: 12 }}>
          {presets.map((preset) => (
            <Button key={preset.label} size="small" onClick={() => applyPreset(preset)}>
              {preset.label}
            </Button>
          ))}
        </Space>
        <Form.Item name="dayMode" label="节假日" extra={dayModeHints[mode]}>
          <Segmented
            options={(Object.keys(dayModeText) as DayMode[]).map((value) => ({
              value,
              label: dayModeText[value],
            }))}
          />
        </Form.Item>
      </div>
      <Form.Item
        {...field(Scene, 'dayTypes')}
        label="日期类型"
        required={false}
        style={fullRowStyle}
        hidden={mode === 'ignore'}
      >
        <Checkbox.Group options={dayTypeOptions} />
      </Form.Item>
      <Form.Item
        {...field(Scene, 'calendarId')}
        normalize={(id?: string) => id ?? null}
        hidden={mode === 'ignore'}
      >
        <Select
          allowClear
          placeholder="项目的日历"
          {...buildSelectProps(toRowOptions(options.calendars))}
        />
      </Form.Item>
      <NumberItem
        of={Scene}
        name="silenceMinutes"
        extra="执行后这么久不再自动执行；手动不受限制"
        min={0}
        max={1440}
        suffix="分钟"
      />
      <div>
        <div className={styles.label}>静默时段</div>
        <Space align="start">
          <Form.Item name="quietFrom" {...clockField}>
            <TimePicker
              format="HH:mm"
              placeholder="从"
              aria-label="静默时段从"
              needConfirm={false}
            />
          </Form.Item>
          <Form.Item name="quietTo" {...clockField}>
            <TimePicker
              format="HH:mm"
              placeholder="到"
              aria-label="静默时段到"
              needConfirm={false}
            />
          </Form.Item>
        </Space>
      </div>
    </>
  )
}
