import { Form } from 'antd'
import type { z } from 'zod'
import { field } from '../field'
import { wholeLine } from '../formDialog'
import { AddressField } from './AddressField'
import { RegionField } from './RegionField'
import type { ReadAddress } from './RegionPicker'

type AddressItemsProps = {
  /** Has `areaCode`, `address`, `phone` and the field of the person. */
  schema: z.ZodObject
  /** The field that a person's name goes into. */
  person: string
}

/**
 * Region and address of a form. What a pasted address says of a person and a telephone fills their fields where they are
 * empty.
 * @example <AddressItems schema={ManufacturerDraft} person="contact" />
 */
export function AddressItems({ schema, person: personField }: AddressItemsProps) {
  const form = Form.useFormInstance()
  const region = Form.useWatch<string>('areaCode', form)
  const fill = ({ address, person = '', phone = '' }: ReadAddress) => {
    const now = form.getFieldsValue()
    form.setFieldsValue({
      address: address || now.address,
      [personField]: now[personField] || person,
      phone: now.phone || phone,
    })
  }
  return (
    <>
      <Form.Item {...field(schema, 'areaCode')} style={wholeLine}>
        <RegionField onAddress={fill} />
      </Form.Item>
      <Form.Item {...field(schema, 'address')} style={wholeLine}>
        <AddressField
          maxLength={200}
          placeholder="街道、门牌号，可粘贴整段地址"
          region={region}
          onRegion={(code) => form.setFieldValue('areaCode', code)}
          onAddress={fill}
        />
      </Form.Item>
    </>
  )
}
