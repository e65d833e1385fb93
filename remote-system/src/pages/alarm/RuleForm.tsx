import { Form, Input, InputNumber, Select, Typography } from 'antd'
import { useAtomValue } from 'jotai'
import { alarmRuleApi } from '@iot/shared/contract/alarmRule.api'
import {
  AlarmRule,
  AlarmOperator,
  AlarmRuleDraft,
  alarmOperatorText,
  isOrdered,
  offlineTargetText,
  platformCheckText,
  sourceKindText,
  type AlarmRuleRow,
  type AlarmSource,
} from '@iot/shared/contract/alarmRule.schema'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarmSeverity'
import { describeRule } from '@iot/shared/contract/alarmText'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup.api'
import { getSelectedName, toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { platformOnlyReason } from '@iot/shared/contract/ownership'
import { productApi } from '@iot/shared/contract/product.api'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel.schema'
import { eventText, isNumberType } from '@iot/shared/contract/thingText'
import { useOwnershipRefusal } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { createSaveCall, FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import {
  ChoiceItem,
  NotesItem,
  NumberItem,
  RadioItem,
  StatusItem,
  TextItem,
} from '@iot/shared/ui/items'
import { buildSelectProps, usePickerOptions } from '@iot/shared/ui/useListed'
import { RulePreview } from './RulePreview'
import { useSpaceChoices } from './useSpaceChoices'

const blankSources: { [K in AlarmSource['kind']]: Extract<AlarmSource, { kind: K }> } = {
  threshold: { kind: 'threshold', identifier: '', operator: 'gt', value: 0, recoverValue: null },
  event: { kind: 'event', types: ['error', 'alert'], identifier: '' },
  offline: { kind: 'offline', target: 'all' },
  check: { kind: 'check', check: 'controlTask' },
}
const blankRule: AlarmRuleDraft = {
  name: '',
  severity: 'minor',
  projectId: null,
  spaceId: null,
  groupId: null,
  productId: null,
  source: blankSources.threshold,
  forMinutes: 5,
  recoverMinutes: 2,
  status: 'enabled',
  description: '',
}
const allProjectsLabel = '全部项目'
const sendRule = createSaveCall(alarmRuleApi, AlarmRuleDraft)

const isComparable = ({ accessMode, dataType }: Property) =>
  accessMode !== 'w' && (isNumberType(dataType) || ['bool', 'enum', 'text'].includes(dataType.type))

/** Fields of a threshold; the input of the value follows the type of the property. */
function ThresholdFields({
  source,
  model,
}: {
  source: AlarmSource
  model: ThingModel | undefined
}) {
  if (source.kind !== 'threshold') return null
  const properties = model?.properties.filter(isComparable)
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
            properties?.map(({ identifier, name }) => ({ value: identifier, label: name })),
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

function EventFields({ source, model }: { source: AlarmSource; model: ThingModel | undefined }) {
  if (source.kind !== 'event') return null
  const events = model?.events.filter(({ type }) => type !== 'info')
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
            events?.map(({ identifier, name }) => ({ value: identifier, label: name })) ?? []
          }
        />
      </Form.Item>
    </>
  )
}

type RuleFormProps = {
  rule?: AlarmRuleRow
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function RuleForm({ rule, onSaved, onClose }: RuleFormProps) {
  const [form] = Form.useForm<AlarmRuleDraft>()
  const canShare = !useOwnershipRefusal()([])
  const currentProjectId = useAtomValue(currentProjectIdAtom)
  const projects = useAtomValue(projectOptionsAtom)
  const initial = rule ?? { ...blankRule, projectId: canShare ? null : currentProjectId }
  const currentValues = Form.useWatch([], form) as Partial<AlarmRuleDraft> | undefined
  const draft = { ...initial, ...currentValues }
  const { source, projectId, productId, spaceId } = draft
  const isComplete = source.kind !== 'threshold' || source.identifier !== ''
  const isCheck = source.kind === 'check'
  const spaces = useSpaceChoices(projectId)
  const { data: groups } = usePickerOptions(deviceGroupApi.list, {
    input: { projectId: projectId ?? 0 },
    ready: projectId !== null,
  })
  const { data: products } = usePickerOptions(productApi.list)
  const { data: model } = usePickerOptions(alarmRuleApi.model, {
    input: { id: productId ?? '' },
    ready: productId !== null,
  })
  const ownModel = productId === null ? undefined : model
  const sentence = describeRule(draft, {
    place: [
      projectId === null ? '' : getSelectedName(projects, projectId),
      spaceId ? getSelectedName(spaces, spaceId) : '',
      draft.groupId ? `设备组“${getSelectedName(toRowOptions(groups), draft.groupId)}”` : '',
    ]
      .filter(Boolean)
      .join(' '),
    product: productId ? getSelectedName(toRowOptions(products), productId) : '',
    ...(ownModel && { model: ownModel }),
  })
  const readDraft = async () => {
    const values = await form.validateFields().catch(() => undefined)
    return values && { ...initialToDraft(initial), ...values }
  }

  return (
    <FormDialog<AlarmRuleDraft>
      wide
      title={rule ? '编辑告警规则' : '新建告警规则'}
      schema={AlarmRule}
      initial={initial}
      send={sendRule}
      show={(name, value) =>
        name === 'severity'
          ? severityText[value as AlarmSeverity]
          : name === 'source'
            ? describeRule({ ...draft, source: value as AlarmSource }, { place: '', product: '' })
            : name === 'projectId' &&
              (value === null ? allProjectsLabel : getSelectedName(projects, value))
      }
      form={form}
      draft="alarmRule"
      onValuesChange={(changedValues) => {
        if ('projectId' in changedValues) form.setFieldsValue({ spaceId: null, groupId: null })
        const kind = changedValues.source?.kind
        if (kind) {
          form.setFieldsValue({ source: blankSources[kind] as never })
          if (kind === 'check')
            form.setFieldsValue({ spaceId: null, groupId: null, productId: null, forMinutes: 0 })
          if (kind === 'event') form.setFieldsValue({ forMinutes: 0, recoverMinutes: 60 })
        }
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Typography.Text
        strong={isComplete}
        type={isComplete ? undefined : 'secondary'}
        style={{ ...fullRowStyle, marginBottom: 12 }}
        aria-live="polite"
      >
        {isComplete ? sentence : '选择产品和属性后，这里用一句话说明规则'}
      </Typography.Text>
      <TextItem of={AlarmRuleDraft} name="name" autoFocus />
      <RadioItem
        of={AlarmRuleDraft}
        name="severity"
        options={toTextOptions(severityText)}
        optionType="button"
      />
      <FormGroup title="范围">
        <Form.Item
          {...field(AlarmRuleDraft, 'projectId')}
          extra={canShare ? undefined : `全部项目的规则${platformOnlyReason}`}
          getValueProps={(value: number | null) => ({ value: value ?? 0 })}
          normalize={(value: number) => value || null}
        >
          <Select
            options={[{ value: 0, label: allProjectsLabel, disabled: !canShare }, ...projects]}
          />
        </Form.Item>
        <ChoiceItem
          of={AlarmRuleDraft}
          name="productId"
          allowClear
          disabled={isCheck}
          placeholder={source.kind === 'threshold' ? '请选择产品' : isCheck ? '不分产品' : '不限'}
          options={toRowOptions(products)}
        />
        <ChoiceItem
          of={AlarmRuleDraft}
          name="spaceId"
          allowClear
          disabled={projectId === null || isCheck}
          placeholder={
            isCheck ? '不分位置' : projectId === null ? '选择项目后可以指定' : '不限，包括它下面的'
          }
          options={spaces}
        />
        <ChoiceItem
          of={AlarmRuleDraft}
          name="groupId"
          allowClear
          disabled={projectId === null || isCheck}
          placeholder={isCheck ? '不分设备组' : projectId === null ? '选择项目后可以指定' : '不限'}
          options={projectId === null ? [] : toRowOptions(groups)}
        />
      </FormGroup>
      <FormGroup title="条件">
        <Form.Item name={['source', 'kind']} label="来源" required style={fullRowStyle}>
          <Select options={toTextOptions(sourceKindText)} />
        </Form.Item>
        <ThresholdFields source={source} model={ownModel} />
        <EventFields source={source} model={ownModel} />
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
      <div style={fullRowStyle}>
        <RulePreview readDraft={readDraft} />
      </div>
      <StatusItem of={AlarmRuleDraft} name="status" />
      <NotesItem of={AlarmRuleDraft} name="description" />
    </FormDialog>
  )
}

/** The preview takes the fields of a draft alone. */
function initialToDraft(values: AlarmRuleDraft): AlarmRuleDraft {
  const names = Object.keys(AlarmRuleDraft.shape) as (keyof AlarmRuleDraft)[]
  return Object.fromEntries(names.map((name) => [name, values[name]])) as AlarmRuleDraft
}
