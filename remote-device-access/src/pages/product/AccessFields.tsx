import { Form } from 'antd'
import { optionsOf } from '@iot/shared/contract/options'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  type Product,
  ProductDraft,
  protocolText,
} from '@iot/shared/contract/product'
import { FormGroup, wholeLine } from '@iot/shared/ui/formDialog'
import { ChoiceItem, RadioItem } from '@iot/shared/ui/items'
import type { useChoices } from './useChoices'

type AccessFieldsProps = { product?: Product; choices: ReturnType<typeof useChoices> }

/** How the devices of a product reach the platform; who they are stands once they are made. */
export function AccessFields({ product, choices }: AccessFieldsProps) {
  const form = Form.useFormInstance<ProductDraft>()
  const node = Form.useWatch('node', form) ?? product?.node
  const isLocked = product !== undefined && product.status !== 'developing'
  return (
    <FormGroup title="接入">
      <RadioItem
        of={ProductDraft}
        name="node"
        style={wholeLine}
        options={optionsOf(nodeText)}
        disabled={isLocked}
      />
      <ChoiceItem of={ProductDraft} name="net" options={choices.nets} known={netText} />
      <ChoiceItem
        of={ProductDraft}
        name="protocol"
        required={node === 'sub'}
        dependencies={['node']}
        // A device that speaks for itself may have none.
        normalize={(code?: string) => code ?? ''}
        allowClear
        options={choices.protocols}
        known={protocolText}
      />
      <RadioItem
        of={ProductDraft}
        name="authType"
        options={optionsOf(authTypeText)}
        disabled={isLocked}
      />
      <RadioItem of={ProductDraft} name="dataFormat" options={optionsOf(dataFormatText)} />
    </FormGroup>
  )
}
