import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { call } from '@iot/shared/client/call'
import { type Product, ProductDraft } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'

type CopyFormProps = { product: Product; onSaved: (row: unknown) => void; onClose: () => void }
type ProductCopy = { name: string; modelNo: string }

/** Creates a product with the functions of another one. */
export default function CopyForm({ product, onSaved, onClose }: CopyFormProps) {
  const { id, name, manufacturerId } = product
  const uniqueWithin = { within: 'manufacturerId', withinValue: manufacturerId ?? '' }
  return (
    <FormDialog<ProductCopy>
      title={`复制“${name}”`}
      schema={ProductDraft}
      initial={{ name: `${name} 副本`.slice(0, 64), modelNo: '' }}
      draft={`productCopy/${id}`}
      to={productApi.copy}
      send={({ name, modelNo }, _, options) =>
        call(productApi.copy, { id, name, modelNo }, options)
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem of={ProductDraft} name="name" autoFocus />
      <Form.Item
        {...field(
          ProductDraft,
          'modelNo',
          manufacturerId ? uniqueCheck('product', 'modelNo', undefined, uniqueWithin) : undefined,
        )}
      >
        <Input />
      </Form.Item>
    </FormDialog>
  )
}
