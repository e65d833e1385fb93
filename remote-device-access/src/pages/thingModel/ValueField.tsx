import Input from 'antd/es/input'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { fromPickerTime, toPickerTime } from '@iot/shared/client/zone'
import { DatePicker } from '@iot/shared/ui/datePicker'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'

type Value = number | string | null | undefined
type ValueFieldProps = {
  id?: string
  label?: string
  disabled?: boolean
  value?: Value
  onChange?: (value: Value) => void
  onPressEnter?: () => void
  /** `undefined` if the function has no known model; a text that looks like a number then counts as a number. */
  dataType: DataType | undefined
}

const toNumberOptions = (items: Record<string, string>) =>
  Object.entries(items).map(([code, label]) => ({ value: Number(code), label }))
const fullWidth = { width: '100%' }

/** Edits a value of the thing model according to its type. Structures and arrays are entered as JSON text. */
export function ValueField({ label, dataType, value, onChange, ...rest }: ValueFieldProps) {
  const { onPressEnter, ...selectProps } = rest
  switch (dataType?.type) {
    case 'bool':
    case 'enum':
      return (
        <Select
          {...selectProps}
          aria-label={label}
          value={value}
          onChange={onChange}
          options={toNumberOptions(dataType.specs)}
          style={fullWidth}
        />
      )
    case 'int':
    case 'float':
    case 'double':
      return (
        <NumberInput
          {...rest}
          aria-label={label}
          step={dataType.specs.step}
          suffix={dataType.specs.unit}
          style={fullWidth}
          value={value}
          onChange={onChange}
        />
      )
    case 'bitmap':
      return (
        <Select
          {...selectProps}
          aria-label={label}
          mode="multiple"
          value={listSetBits(Number(value ?? 0))}
          onChange={(bits) => onChange?.(bits.reduce((sum, bit) => sum + 2 ** bit, 0))}
          options={toNumberOptions(dataType.specs)}
          style={fullWidth}
        />
      )
    case 'date':
      return (
        <DatePicker
          {...selectProps}
          aria-label={label}
          showTime
          value={value ? toPickerTime(Number(value)) : null}
          onChange={(time) => onChange?.(time ? String(fromPickerTime(time).valueOf()) : undefined)}
          style={fullWidth}
        />
      )
    case 'struct':
    case 'array':
      return (
        <Input.TextArea
          {...selectProps}
          aria-label={label}
          rows={3}
          placeholder={dataType.type === 'array' ? 'JSON，如 [1, 2]' : 'JSON，如 {"Red": 255}'}
          value={value ?? ''}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )
    case 'text':
    case undefined:
      return (
        <Input
          {...rest}
          aria-label={label}
          value={value ?? ''}
          onChange={({ target }) =>
            onChange?.(dataType ? target.value : parseNumberOrText(target.value))
          }
        />
      )
  }
}

/**
 * Bits are computed by division, because JavaScript's bit operators fail above bit 31; a bitmap has at most 32 bits.
 */
const listSetBits = (value: number) =>
  Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => Math.floor(value / 2 ** bit) % 2)

const parseNumberOrText = (text: string) =>
  text !== '' && String(Number(text)) === text ? Number(text) : text
