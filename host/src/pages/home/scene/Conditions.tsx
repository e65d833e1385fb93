import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import { comparisonText, type Comparison } from '@iot/shared/contract/control/scene'
import type { Condition } from '@iot/shared/contract/control/scene.schema'
import { formatFunctionName, isOffered } from '@iot/shared/contract/thingModel/deprecation'
import { isNumberType } from '@iot/shared/contract/thingModel/thingText'
import { useDevices } from '@iot/shared/control/devicesField'
import { isSimpleProperty, ValueInput } from './ValueInput'
import type { SceneOptions } from './useSceneOptions'
import * as styles from './scene.module.css'

type ConditionsProps = { at: number; projectId: number; options: SceneOptions }
const blankCondition: Condition = { deviceId: '', identifier: '', compare: 'eq', value: 1 }

/** Edits the device conditions of a trigger: whether all or any of them must hold, and for how long. */
export function Conditions({ at, projectId, options }: ConditionsProps) {
  const form = Form.useFormInstance()
  const path = ['triggers', at, 'conditions']
  const conditions = (Form.useWatch(path, form) ?? []) as Condition[]
  const deviceIds = conditions.flatMap((condition) => condition?.deviceId || [])
  const devices = useDevices({ projectId, ids: deviceIds })

  return (
    <Flex vertical className={styles.conditions}>
      <Form.List name={[at, 'conditions']}>
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name }) => (
              <ConditionRow
                key={key}
                name={name}
                condition={conditions[name] ?? blankCondition}
                devices={devices}
                options={options}
                onDeviceChange={() => form.setFieldValue([...path, name, 'identifier'], '')}
                onRemove={rows.length > 1 ? () => remove(name) : undefined}
              />
            ))}
            <Button
              icon={<PlusOutlined />}
              className={styles.add}
              onClick={() => add(blankCondition)}
            >
              添加条件
            </Button>
          </>
        )}
      </Form.List>
      <Flex gap={8} wrap>
        <Form.Item name={[at, 'match']}>
          <Select
            aria-label="满足"
            style={{ width: 112 }}
            options={[
              { value: 'all', label: '全部满足' },
              { value: 'any', label: '满足任一' },
            ]}
          />
        </Form.Item>
        <Form.Item name={[at, 'seconds']} rules={[{ required: true, message: '请输入持续时间' }]}>
          <NumberInput aria-label="持续" prefix="持续" suffix="秒" style={{ width: 140 }} />
        </Form.Item>
      </Flex>
    </Flex>
  )
}

type ConditionRowProps = {
  /** The index of the row in the list of conditions. */
  name: number
  condition: Condition
  devices: ReturnType<typeof useDevices>
  options: SceneOptions
  onDeviceChange: () => void
  /** The only condition of a trigger cannot be removed. */
  onRemove?: () => void
}

/** Edits one condition: a property of a device compared with a value. */
function ConditionRow({
  name,
  condition,
  devices,
  options,
  onDeviceChange,
  onRemove,
}: ConditionRowProps) {
  const { deviceId, identifier, compare } = condition
  const device = devices.find(deviceId)
  const type = device?.productType
  const deadReason = device?.isDisabled
    ? '设备已禁用，这个条件不会满足'
    : deviceId && !device && devices.isKnown && '设备已删除或移走，这个条件不会满足'
  const readableProperties = (
    options.types.find(({ code }) => code === type)?.properties ?? []
  ).filter((candidate) => candidate.accessMode !== 'w' && isSimpleProperty(candidate))
  const property = readableProperties.find(
    (readableProperty) => readableProperty.identifier === identifier,
  )
  const isNumber = !property || isNumberType(property.dataType)
  const compareOptions = (Object.keys(comparisonText) as Comparison[]).filter(
    (candidate) => isNumber || candidate === 'eq' || candidate === 'ne' || candidate === compare,
  )
  return (
    <Flex gap={8} align="start" wrap>
      <Form.Item
        name={[name, 'deviceId']}
        rules={[{ required: true, message: '请选择设备' }]}
        getValueProps={(id: string) => ({ value: id || undefined })}
        extra={deadReason && <span className={styles.dead}>{deadReason}</span>}
      >
        <Select
          aria-label="条件的设备"
          placeholder="设备"
          style={{ width: 200 }}
          options={devices.options}
          labelRender={devices.labelRender}
          notFoundContent={devices.notFoundContent}
          showSearch={{ filterOption: false, onSearch: devices.search }}
          onChange={onDeviceChange}
        />
      </Form.Item>
      <Form.Item
        name={[name, 'identifier']}
        rules={[{ required: true, message: '请选择功能' }]}
        getValueProps={(value: string) => ({ value: value || undefined })}
      >
        <Select
          aria-label="条件的功能"
          placeholder="功能"
          style={{ width: 120 }}
          options={readableProperties
            .filter((readableProperty) => isOffered(readableProperty, [identifier]))
            .map((readableProperty) => ({
              value: readableProperty.identifier,
              label: formatFunctionName(readableProperty),
            }))}
        />
      </Form.Item>
      <Form.Item name={[name, 'compare']}>
        <Select
          aria-label="比较"
          style={{ width: 92 }}
          options={compareOptions.map((option) => ({
            value: option,
            label: comparisonText[option],
          }))}
        />
      </Form.Item>
      <Form.Item name={[name, 'value']} rules={[{ required: true, message: '请填写比较的值' }]}>
        {property ? (
          <ValueInput property={property} />
        ) : (
          <NumberInput aria-label="比较的值" disabled />
        )}
      </Form.Item>
      {onRemove && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={`删除条件 ${name + 1}`}
          onClick={onRemove}
        />
      )}
    </Flex>
  )
}
