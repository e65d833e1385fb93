import { Form, Input, InputNumber, Select } from 'antd'
import {
  AlarmOperator,
  AlarmRuleDraft,
  alarmOperatorText,
  isOrdered,
  offlineTargetText,
  platformCheckText,
  sourceKindText,
  type AlarmSource,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { formatFunctionName, isOffered } from '@iot/shared/contract/thingModel/deprecation'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { eventText, isNumberType } from '@iot/shared/contract/thingModel/thingText'
import { FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { NumberItem } from '@iot/shared/ui/items'
import { buildSelectProps } from '@iot/shared/ui/useListed'

type ConditionFieldsProps = {
  source: AlarmSource
  /** Thing model of the chosen product. */
  model: ThingModel | undefined
}

const isComparable = ({ accessMode, dataType }: Property) =>
  accessMode !== 'w' && (isNumberType(dataType) || ['bool', 'enum', 'text'].includes(dataType.type))

/** Fields of a threshold; the input of the value follows the type of the property. */
function ThresholdFields({ source, model }: ConditionFieldsProps) {
  if (source.kind !== 'threshold') return null
  const properties = model?.properties.filter(
    (property) => isComparable(property) && isOffered(property, [source.identifier]),
  )
  const dataType = properties?.find(({ identifier }) => identifier === source.identifier)?.dataType
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
          placeholder={model ? '请选择属性' : '请先选择产品'}
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
        {choices ? (
          <Select options={choices} />
        ) : isNumber ? (
          <InputNumber suffix={unit} style={{ width: '100%' }} />
        ) : (
          <Input maxLength={200} />
        )}
      </Form.Item>
      {isNumber && isOrdered(source.operator) && (
        <Form.Item
          name={['source', 'recoverValue']}
          label="恢复值"
          normalize={(value?: number | null) => value ?? null}
          extra="过了这个值才算恢复，避免在界限上反复；不填则条件不满足就恢复"
        >
          <InputNumber suffix={unit} style={{ width: '100%' }} />
        </Form.Item>
      )}
    </>
  )
}

function EventFields({ source, model }: ConditionFieldsProps) {
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
          placeholder={model ? '不限' : '不限；选择产品后可以指定'}
          options={
            events?.map((event) => ({
              value: event.identifier,
              label: formatFunctionName(event),
            })) ?? []
          }
        />
      </Form.Item>
    </>
  )
}

/** Fields of the source of a rule and of how long its condition must hold. */
export const ConditionFields = ({ source, model }: ConditionFieldsProps) => (
  <FormGroup title="条件">
    <Form.Item name={['source', 'kind']} label="来源" required style={fullRowStyle}>
      <Select options={toTextOptions(sourceKindText)} />
    </Form.Item>
    <ThresholdFields source={source} model={model} />
    <EventFields source={source} model={model} />
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
    {source.kind !== 'event' && (
      <NumberItem of={AlarmRuleDraft} name="forMinutes" min={0} precision={0} suffix="分钟" />
    )}
    <NumberItem
      of={AlarmRuleDraft}
      name="recoverMinutes"
      min={0}
      precision={0}
      suffix="分钟"
      extra={
        source.kind === 'event'
          ? '这么久没有再上报就恢复；0 表示只能手动恢复'
          : '条件不再满足这么久才恢复'
      }
    />
  </FormGroup>
)
