import Form from 'antd/es/form'
import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import {
  AlarmRule,
  AlarmRuleDraft,
  type AlarmRuleRow,
  type AlarmSource,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { describeRule } from '@iot/shared/contract/alarm/alarmText'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { getSelectedName, toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import { productApi } from '@iot/shared/contract/product/product.api'
import { useOwnershipRefusal } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectOptionsAtom, projectsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { createSaveCall, FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, RadioItem, StatusItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { canHaveRecoverValue, ConditionFields } from './ConditionFields'
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

type RuleFormProps = {
  rule?: AlarmRuleRow
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function RuleForm({ rule, onSaved, onClose }: RuleFormProps) {
  const [form] = Form.useForm<AlarmRuleDraft>()
  const canShare = !useOwnershipRefusal()([])
  const currentProjectId = useAtomValue(currentProjectIdAtom)
  const projectNames = useAtomValue(projectsAtom)
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
  const { data: model, loading: isModelLoading } = usePickerOptions(alarmRuleApi.model, {
    input: { id: productId ?? '' },
    ready: productId !== null,
  })
  // While another model is read, that of the product before is still there.
  const ownModel = productId === null || isModelLoading ? undefined : model
  const isModelMissing = productId !== null && !ownModel
  const hasNames =
    !isModelMissing &&
    (productId === null || products) &&
    (!spaceId || spaces) &&
    (!draft.groupId || groups)
  const sentence = describeRule(draft, {
    // The list names the project without its group, too.
    project: projectNames.find(({ id }) => id === projectId)?.name,
    ...(spaceId && { spacePath: getSelectedName(spaces, spaceId) }),
    ...(draft.groupId && { group: getSelectedName(toRowOptions(groups), draft.groupId) }),
    ...(productId && { product: getSelectedName(toRowOptions(products), productId) }),
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
            ? describeRule({ ...draft, source: value as AlarmSource }, {})
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
        const currentSource = form.getFieldValue('source') as AlarmSource
        if (currentSource.kind === 'threshold' && !canHaveRecoverValue(currentSource, ownModel))
          form.setFieldsValue({ source: { recoverValue: null } as never })
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Typography.Text
        strong={isComplete}
        type={isComplete ? undefined : 'secondary'}
        style={{ ...fullRowStyle, display: 'block', marginBottom: 12 }}
        aria-live="polite"
      >
        {!isComplete
          ? '选择产品和属性后，这里用一句话说明规则'
          : hasNames
            ? sentence
            : (rule?.sentence ?? '正在读取名称')}
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
      <ConditionFields source={source} model={ownModel} isModelMissing={isModelMissing} />
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
