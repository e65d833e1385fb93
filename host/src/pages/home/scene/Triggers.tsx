import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import Button from 'antd/es/button'
import Checkbox from 'antd/es/checkbox'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import Space from 'antd/es/space'
import type { Dayjs } from 'dayjs'
import { toPickerDate } from '@iot/shared/client/zone'
import { formatWeekdays } from '@iot/shared/contract/project/calendarDay'
import { validateCron, describeCron } from '@iot/shared/contract/control/cronText'
import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import { TimePicker } from '@iot/shared/ui/datePicker'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'
import { Conditions } from './Conditions'
import type { SceneOptions } from './useSceneOptions'
import * as styles from './scene.module.css'

const allWeekdays = [1, 2, 3, 4, 5, 6, 7]
const blankTriggers: Record<Trigger['kind'], Trigger> = {
  weekly: { kind: 'weekly', weekdays: [1, 2, 3, 4, 5], time: '18:30' },
  sun: { kind: 'sun', event: 'sunset', offset: 0, weekdays: allWeekdays, position: null },
  cron: { kind: 'cron', cron: '0 8 * * 1-5' },
  condition: {
    kind: 'condition',
    match: 'all',
    seconds: 0,
    conditions: [{ deviceId: '', identifier: '', compare: 'eq', value: 1 }],
  },
}
const kindOptions = [
  { value: 'weekly', label: '定时' },
  { value: 'sun', label: '日出日落' },
  { value: 'cron', label: 'cron' },
  { value: 'condition', label: '设备条件' },
]
const weekdayOptions = allWeekdays.map((day) => ({
  value: day,
  label: formatWeekdays([day]).slice(1),
}))

/** Converts between a form value `HH:mm` and the value of the time picker. */
export const clockField = {
  getValueProps: (clock?: string | null) => ({
    value: clock ? toPickerDate(`2000-01-01T${clock}`) : null,
  }),
  normalize: (time?: Dayjs | null) => time?.format('HH:mm') ?? null,
}

async function assertValidCron(cron: string) {
  const cronError = cron.trim() ? validateCron(cron) : '请输入 cron 表达式'
  if (cronError) throw new Error(cronError)
}

type TriggersProps = { projectId: number; options: SceneOptions }

/** Edits the triggers that start a scene automatically; a scene without triggers is started by hand. */
export function Triggers({ projectId, options }: TriggersProps) {
  const form = Form.useFormInstance()
  const triggers = (Form.useWatch('triggers', form) ?? []) as (Trigger | undefined)[]
  const renderWeekdays = (name: number) => (
    <Form.Item name={[name, 'weekdays']} rules={[{ required: true, message: '请选择星期' }]}>
      <Checkbox.Group options={weekdayOptions} aria-label="星期" />
    </Form.Item>
  )
  const changeKind = (rowIndex: number, kind: Trigger['kind']) => {
    const rows = form.getFieldValue('triggers') as Trigger[]
    form.setFieldValue(
      'triggers',
      rows.map((row, n) => (n === rowIndex ? blankTriggers[kind] : row)),
    )
  }

  return (
    <Form.List name="triggers">
      {(rows, { add, remove }) => (
        <Flex vertical gap={8} className={styles.whole}>
          {rows.length === 0 && <span className={styles.hint}>只在手动按下时执行</span>}
          {rows.map(({ key, name }) => {
            const trigger = triggers[name]
            return (
              <fieldset
                key={key}
                className={`${styles.row} ${styles.trigger}`}
                aria-label={`触发 ${name + 1}`}
              >
                <Flex gap={8} align="start" wrap>
                  <Form.Item name={[name, 'kind']}>
                    <Select
                      aria-label="触发方式"
                      options={kindOptions}
                      style={{ width: 112 }}
                      onChange={(kind: Trigger['kind']) => changeKind(name, kind)}
                    />
                  </Form.Item>
                  {trigger?.kind === 'weekly' && (
                    <>
                      <Form.Item
                        name={[name, 'time']}
                        {...clockField}
                        rules={[{ required: true, message: '请选择时间' }]}
                      >
                        <TimePicker
                          format="HH:mm"
                          aria-label="时间"
                          needConfirm={false}
                          allowClear={false}
                        />
                      </Form.Item>
                      {renderWeekdays(name)}
                    </>
                  )}
                  {trigger?.kind === 'sun' && (
                    <>
                      <Form.Item name={[name, 'event']}>
                        <Select
                          aria-label="日出或日落"
                          options={[
                            { value: 'sunrise', label: '日出' },
                            { value: 'sunset', label: '日落' },
                          ]}
                        />
                      </Form.Item>
                      <Form.Item
                        name={[name, 'offset']}
                        rules={[{ required: true, message: '请输入偏移' }]}
                      >
                        <NumberInput
                          aria-label="偏移"
                          title="负数为之前"
                          prefix="偏移"
                          suffix="分钟"
                          style={{ width: 150 }}
                        />
                      </Form.Item>
                      {renderWeekdays(name)}
                      <Form.Item name={[name, 'position']}>
                        <PositionField />
                      </Form.Item>
                    </>
                  )}
                  {trigger?.kind === 'cron' && (
                    <Form.Item
                      name={[name, 'cron']}
                      extra={`分 时 日 月 周：${describeCron(trigger.cron ?? '') ?? '无法用一句话说明'}`}
                      rules={[{ validator: (_, cron?: string) => assertValidCron(cron ?? '') }]}
                    >
                      <Input aria-label="cron 表达式" style={{ width: 240 }} />
                    </Form.Item>
                  )}
                  {trigger?.kind === 'condition' && (
                    <Conditions at={name} projectId={projectId} options={options} />
                  )}
                </Flex>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`删除触发 ${name + 1}`}
                  onClick={() => remove(name)}
                />
              </fieldset>
            )
          })}
          <Button type="dashed" onClick={() => add(blankTriggers.weekly)}>
            添加触发
          </Button>
        </Flex>
      )}
    </Form.List>
  )
}

type GeoPosition = { longitude: number; latitude: number }
type PositionFieldProps = {
  value?: GeoPosition | null
  onChange?: (position: GeoPosition | null) => void
  id?: string
}

/** Chooses between the position of the project and one of the trigger's own, for sunrise and sunset. */
function PositionField({ value, onChange, id }: PositionFieldProps) {
  return (
    <Space wrap>
      <Select
        id={id}
        aria-label="位置"
        value={value ? 'own' : 'project'}
        style={{ width: 112 }}
        options={[
          { value: 'project', label: '项目位置' },
          { value: 'own', label: '填写经纬度' },
        ]}
        onChange={(kind) =>
          onChange?.(kind === 'own' ? { longitude: 114.06, latitude: 22.54 } : null)
        }
      />
      {value && (
        <>
          <NumberInput
            aria-label="经度"
            prefix="经度"
            value={value.longitude}
            onChange={(longitude) => onChange?.({ ...value, longitude: longitude ?? 0 })}
          />
          <NumberInput
            aria-label="纬度"
            prefix="纬度"
            value={value.latitude}
            onChange={(latitude) => onChange?.({ ...value, latitude: latitude ?? 0 })}
          />
        </>
      )}
    </Space>
  )
}
