import Form from 'antd/es/form'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { toTextOptions } from '@iot/shared/contract/options'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  protocolText,
} from '@iot/shared/contract/product/product'
import { type Product, ProductDraft } from '@iot/shared/contract/product/product.schema'
import { deviceAccess } from '@iot/shared/screens/deviceAccess'
import { FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, RadioItem } from '@iot/shared/ui/items'
import { NoOptionsHint } from '../NoOptionsHint'
import type { useProductOptions } from './useProductOptions'

const authTypeHints = {
  deviceSecret: '每台设备登记时得到自己的密钥',
  productSecret: '同型号烧录一个产品密钥，设备按自注册规则换取自己的密钥',
  sub: '子设备由网关代为登记或注册，不用产品密钥',
}

type AccessFieldsProps = { product?: Product; choices: ReturnType<typeof useProductOptions> }

/** Edits how devices of a product connect; node and authentication type are locked after development. */
export function AccessFields({ product, choices }: AccessFieldsProps) {
  const form = Form.useFormInstance<ProductDraft>()
  const node = Form.useWatch('node', form) ?? product?.node
  const authType = Form.useWatch('authType', form) ?? product?.authType
  const isLocked = product !== undefined && product.status !== 'developing'
  return (
    <FormGroup title="接入">
      <RadioItem
        of={ProductDraft}
        name="node"
        style={fullRowStyle}
        options={toTextOptions(nodeText)}
        disabled={isLocked}
      />
      <ChoiceItem of={ProductDraft} name="net" options={choices.nets} known={netText} />
      <ChoiceItem
        of={ProductDraft}
        name="protocol"
        required={node === 'sub'}
        placeholder={node === 'sub' ? '请选择通信协议' : '不指定'}
        check={async (code) =>
          node === 'sub' && code === '' ? '网关子设备须选择通信协议' : undefined
        }
        dependencies={['node']}
        // A device that connects directly may have no protocol, so clearing the field stores an empty code.
        normalize={(code?: string) => code ?? ''}
        allowClear
        options={choices.protocols}
        none={
          <NoOptionsHint
            rowLabel={`适用于${nodeText[node ?? 'direct']}的通信协议`}
            page={deviceAccess.config.communicationProtocol}
            createEndpoint={communicationProtocolApi.create}
          />
        }
        known={protocolText}
      />
      <RadioItem
        of={ProductDraft}
        name="authType"
        extra={authType && node && authTypeHints[node === 'sub' ? 'sub' : authType]}
        options={toTextOptions(authTypeText)}
        disabled={isLocked}
      />
      <RadioItem of={ProductDraft} name="dataFormat" options={toTextOptions(dataFormatText)} />
    </FormGroup>
  )
}
