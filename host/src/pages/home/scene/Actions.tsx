import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import type { FormListOperation } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { lightProductType } from '@iot/shared/contract/control/light'
import type { Scene, SceneAction, SceneScope } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'
import { ScopeField } from './ScopeField'
import type { SceneOptions } from './useSceneOptions'
import { ValuesField } from './ValuesField'
import * as styles from './scene.module.css'

type ActionsProps = { projectId: number; options: SceneOptions }

/** Edits the actions of a scene row by row; a row can take over the values that devices report now. */
export function Actions({ projectId, options }: ActionsProps) {
  const order = Form.useWatch('order', Form.useFormInstance<Scene>())
  const { capturingRow, captureValues } = useCaptureValues(projectId)
  const first = options.types.find(({ code }) => code === lightProductType) ?? options.types[0]
  /** Nothing is chosen in advance, so that no scene controls the whole project by an oversight. */
  const blankAction = { productType: first?.code ?? '', values: {}, delay: 0 }

  return (
    <Form.List name="actions">
      {(rows, { add, remove }, { errors }) => (
        <Flex vertical gap={8} className={styles.whole}>
          {rows.map(({ key, name }) => (
            <ActionRow
              key={key}
              name={name}
              projectId={projectId}
              options={options}
              isSerial={order === 'serial'}
              capturingRow={capturingRow}
              onCapture={() => void captureValues(name, { add, remove }).catch(ignoreHandled)}
              onRemove={() => remove(name)}
            />
          ))}
          <Form.ErrorList errors={errors} />
          <Button type="dashed" onClick={() => add(blankAction)}>
            添加动作
          </Button>
        </Flex>
      )}
    </Form.List>
  )
}

/** Returns a function that makes the values that devices report now the values of a row. */
function useCaptureValues(projectId: number) {
  const { message } = useFeedback()
  const form = Form.useFormInstance<Scene>()
  const [capturingRow, setCapturingRow] = useState<number>()

  /** Replaces the row by one row per group of devices that report the same values now. */
  async function captureValues(rowIndex: number, list: Pick<FormListOperation, 'add' | 'remove'>) {
    const rows = form.getFieldValue('actions') as (Omit<SceneAction, 'scope'> & {
      scope?: SceneScope
    })[]
    const { scope, productType, delay } = rows[rowIndex]!
    // There is nothing to read before a scope is chosen, which the field shows.
    if (!scope) return void form.validateFields([['actions', rowIndex, 'scope']]).catch(() => {})
    setCapturingRow(rowIndex)
    try {
      const { actions, left: skippedDevices } = await call(sceneApi.capture, {
        projectId,
        scope,
        productType,
      })
      const skippedText = `${skippedDevices
        .slice(0, 3)
        .map(({ name, reason }) => `${name}（${reason}）`)
        .join('、')}${skippedDevices.length > 3 ? ` 等 ${skippedDevices.length} 台` : ''}`
      if (actions.length === 0)
        return void message.warning(
          skippedDevices.length > 0 ? `没有取到值：${skippedText}` : '所选范围内没有设备',
        )
      const capturedActions = actions.map((action, n) => ({
        ...action,
        delay: n === 0 ? delay : 0,
      }))
      // Rows are changed through the list operations, because values set through the form would count as no change and
      // be missing in the draft.
      capturedActions.forEach((action, n) => list.add(action, rowIndex + 1 + n))
      list.remove(rowIndex)
      if (skippedDevices.length > 0) void message.warning(`已取当前值，未包括 ${skippedText}`)
      else void message.success('已取当前值')
    } finally {
      setCapturingRow(undefined)
    }
  }

  return { capturingRow, captureValues }
}

type ActionRowProps = ActionsProps & {
  /** The index of the row in the list of actions. */
  name: number
  /** Actions wait for one another. */
  isSerial: boolean
  /** The values of this row are being read from the devices. */
  capturingRow?: number
  onCapture: () => void
  onRemove: () => void
}

/** Edits one action: the devices, the values they get and the delay. */
function ActionRow({
  name,
  projectId,
  options,
  isSerial,
  capturingRow,
  onCapture,
  onRemove,
}: ActionRowProps) {
  return (
    <fieldset className={styles.row} aria-label={`动作 ${name + 1}`}>
      <div className={styles.rowHead}>
        <Form.Item
          name={[name, 'productType']}
          rules={[{ required: true, message: '请选择设备类型' }]}
        >
          <Select
            aria-label="设备类型"
            options={options.types.map(({ code, name }) => ({ value: code, label: name }))}
          />
        </Form.Item>
        <Form.Item noStyle dependencies={[['actions', name, 'productType']]}>
          {({ getFieldValue }) => (
            <Form.Item
              name={[name, 'scope']}
              rules={[{ validator: (_, scope?: SceneScope) => validateScope(scope) }]}
            >
              <ScopeField
                projectId={projectId}
                spaces={options.spaces}
                groups={options.groups}
                productType={getFieldValue(['actions', name, 'productType']) as string | undefined}
              />
            </Form.Item>
          )}
        </Form.Item>
        <Form.Item name={[name, 'delay']}>
          <NumberInput
            aria-label="延时"
            prefix={isSerial ? '等' : '延时'}
            suffix="秒"
            style={{ width: 116 }}
          />
        </Form.Item>
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={`删除动作 ${name + 1}`}
          // `false` would enable the button in a form that takes no input.
          disabled={capturingRow !== undefined || undefined}
          onClick={onRemove}
        />
      </div>
      <Flex gap={8} justify="space-between" align="start" wrap>
        <Form.Item noStyle dependencies={[['actions', name, 'productType']]}>
          {({ getFieldValue }) => (
            <Form.Item
              name={[name, 'values']}
              rules={[{ validator: (_, values: Values) => validateValues(values) }]}
            >
              <ValuesField
                type={options.types.find(
                  ({ code }) => code === getFieldValue(['actions', name, 'productType']),
                )}
              />
            </Form.Item>
          )}
        </Form.Item>
        <Button
          loading={capturingRow === name}
          disabled={(capturingRow !== undefined && capturingRow !== name) || undefined}
          style={{ marginBottom: 12 }}
          title="以设备现在上报的值作为这个动作，不下发命令"
          onClick={onCapture}
        >
          取当前值
        </Button>
      </Flex>
    </fieldset>
  )
}

const validateScope = async (scope?: SceneScope) => {
  if (!scope) throw new Error('请选择范围')
}
const validateValues = async (values: Values = {}) => {
  if (Object.keys(values).length === 0) throw new Error('请选择要设置的功能')
}
