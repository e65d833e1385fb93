import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import { useState } from 'react'
import type { z } from 'zod'
import { field } from '../field'
import { fullRowStyle } from '../formDialog'
import { AddressField, type PastedAddress } from './AddressField'
import { RegionField } from './RegionField'
import type { AddressParts } from './RegionPicker'

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
  const [appliedChange, setAppliedChange] = useState<{ before: Values; after: Values }>()
  const isStillApplied = Form.useWatch(
    ({ areaCode, address }: Values) =>
      appliedChange &&
      areaCode === appliedChange.after.areaCode &&
      address === appliedChange.after.address,
    form,
  )

  function applyPastedAddress(
    { code, address, person, phone }: PastedAddress,
    addressBefore?: string,
  ) {
    const currentValues = form.getFieldsValue()
    const contactValues = { [personField]: person, phone }
    const canFill = (name: string) =>
      !currentValues[name] || currentValues[name] === contactValues[name]
    const names = Object.keys(contactValues).filter((name) => contactValues[name])
    const filledValues = Object.fromEntries(
      names.filter(canFill).map((name) => [name, contactValues[name]]),
    )
    const unplacedTexts = names.filter((name) => !canFill(name)).map((name) => contactValues[name])
    const newValues = {
      areaCode: code ?? currentValues.areaCode,
      address: [address, ...unplacedTexts].filter(Boolean).join(' '),
      ...filledValues,
    }
    const previousValues = {
      ...Object.fromEntries(Object.keys(filledValues).map((name) => [name, currentValues[name]])),
      areaCode: region,
      address: addressBefore ?? currentValues.address,
    }
    form.setFieldsValue(newValues)
    setAppliedChange({ before: previousValues, after: newValues })
  }

  /** A pasted region without a street keeps the existing street. */
  const applyRegionAddress = (addressParts: AddressParts, code: string) =>
    applyPastedAddress({
      ...addressParts,
      code,
      address: addressParts.address || (form.getFieldValue('address') as string),
    })

  /** A field that was edited since keeps its value. */
  function restorePrevious() {
    const { before, after } = appliedChange!
    const currentValues = form.getFieldsValue()
    const untouchedNames = Object.keys(before).filter((name) => currentValues[name] === after[name])
    form.setFieldsValue(Object.fromEntries(untouchedNames.map((name) => [name, before[name]])))
    setAppliedChange(undefined)
  }

  return (
    <>
      <Form.Item {...field(schema, 'areaCode')} style={fullRowStyle}>
        <RegionField onAddress={applyRegionAddress} />
      </Form.Item>
      <Form.Item
        {...field(schema, 'address')}
        style={fullRowStyle}
        extra={
          isStillApplied && (
            <Flex gap={8} align="center" role="status">
              已按粘贴的地址填写
              <Button
                size="small"
                type="link"
                style={{ paddingInline: 0 }}
                onClick={restorePrevious}
              >
                恢复原内容
              </Button>
            </Flex>
          )
        }
      >
        <AddressField
          placeholder="街道、门牌号，可粘贴整段地址"
          region={region}
          onTake={applyPastedAddress}
        />
      </Form.Item>
    </>
  )
}
