import Checkbox from 'antd/es/checkbox'
import ConfigProvider from 'antd/es/config-provider'
import Form from 'antd/es/form'
import Radio from 'antd/es/radio'
import Segmented from 'antd/es/segmented'
import Space from 'antd/es/space'
import { dayTypeText, type DayType } from '@iot/shared/contract/project/calendarDay'
import { toRowOptions } from '@iot/shared/contract/options'
import { TimePicker } from '@iot/shared/ui/datePicker'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import { dayModeText, dayRulePresets, type DayMode } from '@iot/shared/contract/control/scene'
import { Scene, type Trigger } from '@iot/shared/contract/control/scene.schema'
import { field } from '@iot/shared/ui/field'
import { fullRowStyle } from '@iot/shared/ui/formDialog'
import { NumberItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
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
/** Edits how the business calendar affects a scene, and when the scene is suspended. */
export function DayRules({ options }: { options: SceneOptions }) {
  const form = Form.useFormInstance()
  const { componentDisabled } = ConfigProvider.useConfig()
  const mode = (Form.useWatch('dayMode', form) ?? 'ignore') as DayMode
  return (
    <>
      <div style={fullRowStyle}>
        <Form.Item name="dayTypes" noStyle>
          <DayRulePresets />
        </Form.Item>
        <Form.Item name="dayMode" label="节假日" extra={dayModeHints[mode]}>
          <Segmented
            disabled={componentDisabled}
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

type DayRulePresetsProps = { value?: DayType[]; onChange?: (dayTypes: DayType[]) => void }

/**
 * Chooses one of the usual rules. It is a control of the day types, so that the form counts the choice as a change; mode
 * and weekdays are set along with them.
 */
function DayRulePresets({ value = [], onChange }: DayRulePresetsProps) {
  const form = Form.useFormInstance()
  const mode = Form.useWatch('dayMode', form) as DayMode | undefined
  const triggers = (Form.useWatch('triggers', form) ?? []) as Trigger[]
  const chosenPreset = dayRulePresets.find(
    ({ dayMode, dayTypes, weekdays }) =>
      dayMode === mode &&
      hasSameItems(dayTypes, value) &&
      triggers.every(
        (trigger) => !('weekdays' in trigger) || hasSameItems(weekdays, trigger.weekdays),
      ),
  )
  const choosePreset = (label: string) => {
    const { dayMode, dayTypes, weekdays } = dayRulePresets.find((preset) => preset.label === label)!
    form.setFieldsValue({
      dayMode,
      triggers: triggers.map((trigger) =>
        'weekdays' in trigger ? { ...trigger, weekdays } : trigger,
      ),
    })
    onChange?.([...dayTypes])
  }
  return (
    <Radio.Group
      aria-label="常用规则"
      optionType="button"
      size="small"
      style={{ marginBottom: 12 }}
      options={dayRulePresets.map(({ label }) => label)}
      value={chosenPreset?.label ?? null}
      onChange={({ target }) => choosePreset(target.value as string)}
    />
  )
}

const hasSameItems = <T extends string | number>(a: readonly T[], b: readonly T[] = []) =>
  a.length === b.length && a.every((item) => b.includes(item))
