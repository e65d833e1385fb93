import { DatePicker, Input, InputNumber, Select } from 'antd'
import type { DataType } from '@iot/shared/contract/thingModel'
import { fromPicker, toPicker } from '@iot/shared/client/zone'

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

const optionsOf = (items: Record<string, string>) =>
  Object.entries(items).map(([code, label]) => ({ value: Number(code), label }))
const full = { width: '100%' }

/** Edits a value of the thing model according to its type. Structures and arrays are entered as JSON text. */
export function ValueField({ label, dataType, value, onChange, ...rest }: ValueFieldProps) {
  const { onPressEnter, ...plain } = rest
  switch (dataType?.type) {
    case 'bool':
    case 'enum':
      return (
        <Select
          {...plain}
          aria-label={label}
          value={value}
          onChange={onChange}
          options={optionsOf(dataType.specs)}
          style={full}
        />
      )
    case 'int':
    case 'float':
    case 'double':
      return (
        <InputNumber
          {...rest}
          aria-label={label}
          min={dataType.specs.min}
          max={dataType.specs.max}
          step={dataType.specs.step}
          precision={dataType.specs.scale}
          suffix={dataType.specs.unit}
          style={full}
          value={value}
          onChange={onChange}
        />
      )
    case 'bitmap':
      return (
        <Select
          {...plain}
          aria-label={label}
          mode="multiple"
          value={bitsOf(Number(value ?? 0))}
          onChange={(bits) => onChange?.(bits.reduce((sum, bit) => sum + 2 ** bit, 0))}
          options={optionsOf(dataType.specs)}
          style={full}
        />
      )
    case 'date':
      return (
        <DatePicker
          {...plain}
          aria-label={label}
          showTime
          value={value ? toPicker(Number(value)) : null}
          onChange={(time) => onChange?.(time ? String(fromPicker(time).valueOf()) : undefined)}
          style={full}
        />
      )
    case 'struct':
    case 'array':
      return (
        <Input.TextArea
          {...plain}
          aria-label={label}
          rows={3}
          placeholder={dataType.type === 'array' ? 'JSON，如 [1, 2]' : 'JSON，如 {"Red": 255}'}
          value={value ?? ''}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )
    default:
      return (
        <Input
          {...rest}
          aria-label={label}
          maxLength={dataType?.specs.length}
          value={value ?? ''}
          onChange={({ target }) => onChange?.(dataType ? target.value : numberOr(target.value))}
        />
      )
  }
}

/**
 * Bits are computed by division, because JavaScript's bit operators fail above bit 31; a bitmap has at most 32 bits.
 */
const bitsOf = (value: number) =>
  Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => Math.floor(value / 2 ** bit) % 2)

const numberOr = (text: string) =>
  text !== '' && String(Number(text)) === text ? Number(text) : text
