import { NumberInput } from '@iot/shared/ui/numberInput'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import {
  AlarmOperator,
  AlarmRuleDraft,
  alarmOperatorText,
  isOrdered,
  offlineTargetText,
  platformCheckText,
  sourceKindText,
  type AlarmSource,
  type ThresholdSource,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { formatFunctionName, isOffered } from '@iot/shared/contract/thingModel/deprecation'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { eventText, isNumberType } from '@iot/shared/contract/thingModel/thingText'
import { FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { NumberItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps } from '@iot/shared/ui/useListed'

type ConditionFieldsProps = {
  source: AlarmSource
  /** Thing model of the chosen product. */
  model: ThingModel | undefined
  /** The model of the chosen product is not read yet. */
  isModelMissing: boolean
}

const isComparable = ({ accessMode, dataType }: Property) =>
  accessMode !== 'w' && (isNumberType(dataType) || ['bool', 'enum', 'text'].includes(dataType.type))

const findDataType = (model: ThingModel | undefined, { identifier }: ThresholdSource) =>
  model?.properties.find((property) => property.identifier === identifier)?.dataType

/** A recovery value lies on one side of a number. */
export const canHaveRecoverValue = (source: ThresholdSource, model: ThingModel | undefined) => {
  const dataType = findDataType(model, source)
  return isOrdered(source.operator) && (dataType === undefined || isNumberType(dataType))
}

/**
 * Fields of a threshold; the input of the value follows the type of the property. All fields are always there, so that
 * nothing moves when the model is read or another property is chosen.
 */
function ThresholdFields({ source, model, isModelMissing }: ConditionFieldsProps) {
  if (source.kind !== 'threshold') return null
  const properties = model?.properties.filter(
    (property) => isComparable(property) && isOffered(property, [source.identifier]),
  )
  const dataType = findDataType(model, source)
  const isNumber = dataType === undefined || isNumberType(dataType)
  const choices =
    dataType?.type === 'bool' || dataType?.type === 'enum'
      ? Object.entries(dataType.specs).map(([value, label]) => ({
          value: Number(value),
          label: String(label),
        }))
      : undefined
  const unit = dataType && isNumberType(dataType) ? dataType.specs.unit : undefined
  const operators = AlarmOperator.options
    .filter((operator) => isNumber || !isOrdered(operator))
    .map((value) => ({ value, label: alarmOperatorText[value] }))
  return (
    <>
      <Form.Item
        name={['source', 'identifier']}
        label="属性"
        required
        getValueProps={(value: string) => ({ value: value || undefined })}
      >
        <Select
          placeholder={isModelMissing ? '正在读取属性' : model ? '请选择属性' : '请先选择产品'}
          showSearch={{ optionFilterProp: 'label' }}
          {...buildSelectProps(
            properties?.map((property) => ({
              value: property.identifier,
              label: formatFunctionName(property),
            })),
          )}
        />
      </Form.Item>
      <Form.Item name={['source', 'operator']} label="比较" required>
        <Select options={operators} />
      </Form.Item>
      <Form.Item name={['source', 'value']} label="比较的值" required>
        {isModelMissing && source.identifier ? (
          <Select disabled {...buildSelectProps<never>(undefined)} />
        ) : choices ? (
          <Select options={choices} />
        ) : isNumber ? (
          <NumberInput suffix={unit} style={{ width: '100%' }} />
        ) : (
          <Input />
        )}
      </Form.Item>
      <Form.Item
        name={['source', 'recoverValue']}
        label="恢复值"
        normalize={(value?: number | null) => value ?? null}
        extra="过了这个值才算恢复，避免在界限上反复；不填则条件不满足就恢复"
      >
        <NumberInput
          suffix={unit}
          style={{ width: '100%' }}
          disabled={isModelMissing || !canHaveRecoverValue(source, model)}
        />
      </Form.Item>
    </>
  )
}

function EventFields({ source, model, isModelMissing }: ConditionFieldsProps) {
  if (source.kind !== 'event') return null
  const events = model?.events.filter(
    (event) => event.type !== 'info' && isOffered(event, [source.identifier]),
  )
  return (
    <>
      <Form.Item name={['source', 'types']} label="事件类型" required>
        <Select
          mode="multiple"
          options={(['error', 'alert'] as const).map((value) => ({
            value,
            label: eventText[value],
          }))}
        />
      </Form.Item>
      <Form.Item
        name={['source', 'identifier']}
        label="事件"
        getValueProps={(value: string) => ({ value: value || undefined })}
        normalize={(value?: string) => value ?? ''}
      >
        <Select
          allowClear
          placeholder={model || isModelMissing ? '不限' : '不限；选择产品后可以指定'}
          {...buildSelectProps(
            isModelMissing
              ? undefined
              : (events ?? []).map((event) => ({
                  value: event.identifier,
                  label: formatFunctionName(event),
                })),
          )}
        />
      </Form.Item>
    </>
  )
}

/** Fields of the source of a rule and of how long its condition must hold. */
export const ConditionFields = ({ source, ...fields }: ConditionFieldsProps) => (
  <FormGroup title="条件">
    <Form.Item name={['source', 'kind']} label="来源" required style={fullRowStyle}>
      <Select options={toTextOptions(sourceKindText)} />
    </Form.Item>
    <ThresholdFields source={source} {...fields} />
    <EventFields source={source} {...fields} />
    {source.kind === 'check' && (
      <Form.Item name={['source', 'check']} label="检查" required>
        <Select options={toTextOptions(platformCheckText)} />
      </Form.Item>
    )}
    {source.kind === 'offline' && (
      <Form.Item name={['source', 'target']} label="对象" required>
        <Select options={toTextOptions(offlineTargetText)} />
      </Form.Item>
    )}
    {source.kind !== 'event' && <NumberItem of={AlarmRuleDraft} name="forMinutes" suffix="分钟" />}
    <NumberItem
      of={AlarmRuleDraft}
      name="recoverMinutes"
      suffix="分钟"
      extra={
        source.kind === 'event'
          ? '这么久没有再上报就恢复；0 表示只能手动恢复'
          : '条件不再满足这么久才恢复'
      }
    />
  </FormGroup>
)
