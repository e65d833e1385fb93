import Form from 'antd/es/form'
import { useAtomValue } from 'jotai'
import { getSelectedName, toTextOptions } from '@iot/shared/contract/options'
import { authTypeText, nodeText } from '@iot/shared/contract/product/product'
import { productApi } from '@iot/shared/contract/product/product.api'
import { registrationModeText } from '@iot/shared/contract/device/registration'
import {
  RegistrationRule,
  RuleChange,
  RuleDraft,
} from '@iot/shared/contract/device/registration.schema'
import { registrationRuleApi } from '@iot/shared/contract/device/registration.api'
import { currentProjectIdAtom, projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import {
  ChoiceItem,
  NumberItem,
  RadioItem,
  StatusItem,
  SwitchItem,
  TextItem,
} from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { ExpiryDateItem } from '@iot/shared/ui/untilItem'
import { usePickerOptions } from '@iot/shared/ui/useListed'

const modeHints = {
  preregistered: '只有已登记的序列号能取得自己的密钥',
  free: '持有产品密钥的设备都能注册，来一台建一台',
  gateway: '网关替子设备注册，不用产品密钥',
}

type RuleFormProps = {
  rule?: RegistrationRule
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function RuleForm({ rule, ...handlers }: RuleFormProps) {
  const [form] = Form.useForm<RuleDraft>()
  const projects = useAtomValue(projectOptionsAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const { data: products } = usePickerOptions(productApi.list)
  const productId = Form.useWatch('productId', form) ?? rule?.productId
  const mode = Form.useWatch('mode', form) ?? rule?.mode ?? 'preregistered'
  const node = products?.find(({ id }) => id === productId)?.node ?? rule?.node
  const modeOptions = toTextOptions(registrationModeText).map((mode) => ({
    ...mode,
    disabled: node !== undefined && (node === 'sub') !== (mode.value === 'gateway'),
  }))
  const blankRule: RuleDraft = {
    productId: '',
    mode: 'preregistered',
    projectId,
    nameTemplate: '{deviceName}',
    addresses: [],
    expireTime: null,
    quota: null,
    approval: false,
    status: 'enabled',
  }

  return (
    <FormDialog<RuleDraft>
      title={rule ? '编辑注册规则' : '新建注册规则'}
      schema={RegistrationRule}
      initial={rule ?? blankRule}
      send={createSaveCall(registrationRuleApi, RuleDraft, RuleChange)}
      show={(name, value) =>
        name === 'projectId'
          ? getSelectedName(projects, value)
          : name === 'mode' && registrationModeText[value as RuleDraft['mode']]
      }
      form={form}
      draft="rule"
      wide
      onValuesChange={(changedValues) => {
        const selectedProduct = products?.find(({ id }) => id === changedValues.productId)
        if (selectedProduct)
          form.setFieldValue('mode', selectedProduct.node === 'sub' ? 'gateway' : 'preregistered')
      }}
      {...handlers}
    >
      <FormGroup title="谁能注册">
        <ChoiceItem
          of={RuleDraft}
          name="productId"
          extra={!rule && '每个产品在每个项目一条规则；一机一密的产品逐台登记，不能自注册'}
          disabled={!!rule}
          options={
            products?.map(({ id, name, node, authType }) => ({
              value: id,
              label: [
                name,
                nodeText[node],
                ...(node === 'sub' ? [] : [authTypeText[authType]]),
              ].join(' · '),
              disabled: node !== 'sub' && authType === 'deviceSecret' && id !== rule?.productId,
            })) ??
            (rule && [{ value: rule.productId, label: rule.name }])
          }
        />
        <RadioItem of={RuleDraft} name="mode" extra={modeHints[mode]} options={modeOptions} />
        {mode !== 'gateway' && (
          <Form.Item {...field(RuleDraft, 'addresses')} extra="不填则不限，如 10.0.0.0/8">
            <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} />
          </Form.Item>
        )}
        <ExpiryDateItem of={RuleDraft} name="expireTime" />
        {mode !== 'preregistered' && (
          <>
            <NumberItem of={RuleDraft} name="quota" extra="还能注册几台新设备" placeholder="不限" />
            <SwitchItem
              of={RuleDraft}
              name="approval"
              extra="新序列号先进“注册记录”，通过后才建设备"
            />
          </>
        )}
        <StatusItem of={RuleDraft} name="status" />
      </FormGroup>
      <FormGroup title="注册成什么">
        <ChoiceItem of={RuleDraft} name="projectId" options={projects} />
        <TextItem of={RuleDraft} name="nameTemplate" extra="{deviceName} 代表序列号" />
      </FormGroup>
    </FormDialog>
  )
}
