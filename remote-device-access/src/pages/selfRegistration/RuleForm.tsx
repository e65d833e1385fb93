import { DatePicker, Form, Input, InputNumber, Radio, Select, Switch } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useAtomValue } from 'jotai'
import { nodeText, productApi } from '@iot/shared/contract/product'
import {
  modeText,
  RegistrationRule,
  registrationRuleApi,
  RuleChange,
  RuleDraft,
} from '@iot/shared/contract/registration'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { statusOptions } from '@iot/shared/ui/status'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'

const send = sendTo(registrationRuleApi, RuleDraft, RuleChange)
const hints = {
  preregistered: '只有已登记的序列号能取得自己的密钥',
  free: '持有产品密钥的设备都能注册，来一台建一台',
  gateway: '网关替子设备注册，不用产品密钥',
}

type RuleFormProps = {
  rule?: RegistrationRule
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function RuleForm({ rule, onSaved, onClose }: RuleFormProps) {
  const [form] = Form.useForm<RuleDraft>()
  const projects = useAtomValue(projectsAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const { data } = useListed(productApi.page, { input: { pageSize: 999 } })
  const productId = Form.useWatch('productId', form) ?? rule?.productId
  const mode = Form.useWatch('mode', form) ?? rule?.mode ?? 'preregistered'
  const node = data?.list.find(({ id }) => id === productId)?.node ?? rule?.node
  const modes = (['preregistered', 'free', 'gateway'] as const).map((value) => ({
    value,
    label: modeText[value],
    disabled: node !== undefined && (node === 'sub') !== (value === 'gateway'),
  }))
  const blank: RuleDraft = {
    ...{ productId: '', mode: 'preregistered', projectId, nameTemplate: '{deviceName}' },
    ...{ addresses: [], expireTime: null, quota: null, approval: false, status: 'enabled' },
  }

  return (
    <FormDialog<RuleDraft>
      title={rule ? '编辑注册规则' : '新建注册规则'}
      schema={RegistrationRule}
      initial={rule ?? blank}
      send={(draft, ...rest) => send({ ...draft, quota: draft.quota ?? null }, ...rest)}
      show={(name, value) => name === 'projectId' && projects.find(({ id }) => id === value)?.name}
      form={form}
      draft="rule"
      wide
      onValuesChange={(changed) => {
        const chosen = data?.list.find(({ id }) => id === changed.productId)
        if (chosen) form.setFieldValue('mode', chosen.node === 'sub' ? 'gateway' : 'preregistered')
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="谁能注册">
        <Form.Item {...field(RuleDraft, 'productId')} extra={!rule && '每个产品一条规则'}>
          <Select
            disabled={!!rule}
            placeholder="请选择产品"
            showSearch={{ optionFilterProp: 'label' }}
            {...listedOnly(
              data?.list.map(({ id, name, node }) => ({
                value: id,
                label: `${name} · ${nodeText[node]}`,
              })) ??
                (rule && [{ value: rule.productId, label: rule.name }]),
            )}
          />
        </Form.Item>
        <Form.Item {...field(RuleDraft, 'mode')} extra={hints[mode]}>
          <Radio.Group options={modes} />
        </Form.Item>
        {mode !== 'gateway' && (
          <Form.Item {...field(RuleDraft, 'addresses')} extra="不填则不限，如 10.0.0.0/8">
            <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} />
          </Form.Item>
        )}
        <Form.Item
          {...field(RuleDraft, 'expireTime')}
          required={false}
          getValueProps={(time: string | null) => ({ value: time && dayjs(time) })}
          normalize={(day: Dayjs | null) => day?.endOf('day').toISOString() ?? null}
        >
          <DatePicker placeholder="长期有效" style={{ width: '100%' }} />
        </Form.Item>
        {mode !== 'preregistered' && (
          <>
            <Form.Item {...field(RuleDraft, 'quota')} required={false} extra="还能注册几台新设备">
              <InputNumber min={0} precision={0} placeholder="不限" style={{ width: '100%' }} />
            </Form.Item>
            <Form.Item
              {...field(RuleDraft, 'approval')}
              valuePropName="checked"
              extra="新序列号先进“注册记录”，通过后才建设备"
            >
              <Switch />
            </Form.Item>
          </>
        )}
        <Form.Item {...field(RuleDraft, 'status')}>
          <Radio.Group options={statusOptions} />
        </Form.Item>
      </FormGroup>
      <FormGroup title="注册成什么">
        <Form.Item {...field(RuleDraft, 'projectId')}>
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            options={projects.map(({ id, name, fullname }) => ({
              value: id,
              label: fullname ?? name,
            }))}
          />
        </Form.Item>
        <Form.Item {...field(RuleDraft, 'nameTemplate')} extra="{deviceName} 代表序列号">
          <Input maxLength={64} />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
