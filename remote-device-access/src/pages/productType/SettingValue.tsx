import { Input, InputNumber, Select } from 'antd'
import type { DataType } from '@iot/shared/contract/thingModel'

type SettingValueProps = {
  id?: string
  value?: number | string
  onChange?: (value: number | string | null | undefined) => void
  /** Undefined where the function is of no model that is known: then a text that looks like a number is one. */
  dataType: DataType | undefined
}

/** What a property is set to, in the way of its type. */
export function SettingValue({ id, value, onChange, dataType }: SettingValueProps) {
  switch (dataType?.type) {
    case 'bool':
    case 'enum':
      return (
        <Select
          id={id}
          value={value}
          onChange={onChange}
          options={Object.entries(dataType.specs).map(([code, word]) => ({
            value: Number(code),
            label: word as string,
          }))}
        />
      )
    case 'int':
    case 'float':
    case 'double':
      return (
        <InputNumber
          id={id}
          min={dataType.specs.min}
          max={dataType.specs.max}
          step={dataType.specs.step}
          suffix={dataType.specs.unit}
          style={{ width: '100%' }}
          value={value}
          onChange={onChange}
        />
      )
    default:
      return (
        <Input
          id={id}
          value={value}
          onChange={({ target }) => onChange?.(numberOr(target.value))}
        />
      )
  }
}

const numberOr = (text: string) =>
  text !== '' && String(Number(text)) === text ? Number(text) : text
