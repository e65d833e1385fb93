import Input from 'antd/es/input'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'
import type { DeviceProperty } from './useSceneOptions'

type Value = number | string
type ValueInputProps = {
  property: DeviceProperty
  value?: Value
  onChange?: (value: Value | undefined) => void
  id?: string
}

/** Edits the value of a property: an enumeration, a number, or a text. */
export function ValueInput({
  property: { name, dataType },
  value,
  onChange,
  ...rest
}: ValueInputProps) {
  const props = { 'aria-label': name, ...rest }
  if (dataType.type === 'bool' || dataType.type === 'enum')
    return (
      <Select
        {...props}
        value={value}
        style={{ minWidth: 96 }}
        options={Object.entries(dataType.specs).map(([item, word]) => ({
          value: Number(item),
          label: word as string,
        }))}
        onChange={onChange}
      />
    )
  if (dataType.type === 'int' || dataType.type === 'float' || dataType.type === 'double') {
    const { step, unit } = dataType.specs
    return (
      <NumberInput
        {...props}
        value={value}
        step={step}
        suffix={unit}
        style={{ width: 120 }}
        onChange={(next) => onChange?.(next ?? undefined)}
      />
    )
  }
  return (
    <Input
      {...props}
      value={value}
      style={{ width: 160 }}
      onChange={({ target }) => onChange?.(target.value)}
    />
  )
}

const simpleTypes = ['bool', 'enum', 'int', 'float', 'double', 'text', 'date', 'bitmap']
/** Tells whether a property has a single value; structures and arrays do not. */
export const isSimpleProperty = ({ dataType }: DeviceProperty) =>
  simpleTypes.includes(dataType.type)
