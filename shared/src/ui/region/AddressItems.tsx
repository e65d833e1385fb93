import { Button, Flex, Form } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { field } from '../field'
import { wholeLine } from '../formDialog'
import { AddressField, type TakenAddress } from './AddressField'
import { RegionField } from './RegionField'
import type { ReadAddress } from './RegionPicker'

type AddressItemsProps = {
  /** Schema with `areaCode`, `address`, `phone` and the field of the person. */
  schema: z.ZodObject
  /** Name of the field for a person's name. */
  person: string
}

type Values = Record<string, string | undefined>

/**
 * Region and address fields of a form. Person and telephone of a pasted address fill their fields if these are empty,
 * and otherwise stay in the address. One click restores the former values.
 * @example <AddressItems schema={ManufacturerDraft} person="contact" />
 */
export function AddressItems({ schema, person: personField }: AddressItemsProps) {
  const form = Form.useFormInstance<Values>()
  const region = Form.useWatch<string | undefined>('areaCode', form)
  const [taken, setTaken] = useState<{ before: Values; after: Values }>()
  const isTakenThere = Form.useWatch(
    ({ areaCode, address }: Values) =>
      taken && areaCode === taken.after.areaCode && address === taken.after.address,
    form,
  )

  function take({ code, address, person, phone }: TakenAddress, addressBefore?: string) {
    const now = form.getFieldsValue()
    const who = { [personField]: person, phone }
    const isFree = (name: string) => !now[name] || now[name] === who[name]
    const names = Object.keys(who).filter((name) => who[name])
    const filled = Object.fromEntries(names.filter(isFree).map((name) => [name, who[name]]))
    const others = names.filter((name) => !isFree(name)).map((name) => who[name])
    const after = {
      areaCode: code ?? now.areaCode,
      address: [address, ...others].filter(Boolean).join(' '),
      ...filled,
    }
    const before = {
      ...Object.fromEntries(Object.keys(filled).map((name) => [name, now[name]])),
      areaCode: region,
      address: addressBefore ?? now.address,
    }
    form.setFieldsValue(after)
    setTaken({ before, after })
  }

  /** A pasted region without a street keeps the existing street. */
  const takeFromRegion = (read: ReadAddress, code: string) =>
    take({ ...read, code, address: read.address || (form.getFieldValue('address') as string) })

  function restore() {
    form.setFieldsValue(taken!.before)
    setTaken(undefined)
  }

  return (
    <>
      <Form.Item {...field(schema, 'areaCode')} style={wholeLine}>
        <RegionField onAddress={takeFromRegion} />
      </Form.Item>
      <Form.Item
        {...field(schema, 'address')}
        style={wholeLine}
        extra={
          isTakenThere && (
            <Flex gap={8} align="center" role="status">
              已按粘贴的地址填写
              <Button size="small" type="link" style={{ paddingInline: 0 }} onClick={restore}>
                恢复原内容
              </Button>
            </Flex>
          )
        }
      >
        <AddressField
          maxLength={200}
          placeholder="街道、门牌号，可粘贴整段地址"
          region={region}
          onTake={take}
        />
      </Form.Item>
    </>
  )
}
