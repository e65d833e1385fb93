import { Checkbox, ColorPicker, DatePicker, Input, InputNumber, Select, Slider, Switch } from 'antd'
import type { DataType, Property } from '@iot/shared/contract/thingModel'

/** More positions than a hand can tell apart. */
const positions = 1000
const optionsOf = (items: Record<string, string>) =>
  Object.entries(items).map(([value, label]) => ({ value, label }))
const isColour = (dataType: DataType) =>
  dataType.type === 'struct' &&
  ['Red', 'Green', 'Blue'].every((name) =>
    dataType.specs.some(({ identifier }) => identifier === name),
  )
const width = { width: 140 }

/** The control a property becomes on a page: tried out here, it changes nothing. */
export function ControlPreview({ accessMode, dataType, name }: Property) {
  const label = `${name}的控件`
  if (accessMode === 'r') return <span>{reading(dataType)}</span>
  if (isColour(dataType))
    return <ColorPicker aria-label={label} defaultValue="#ffb84d" size="small" />
  switch (dataType.type) {
    case 'bool':
      return (
        <Switch
          aria-label={label}
          checkedChildren={dataType.specs[1]}
          unCheckedChildren={dataType.specs[0]}
          defaultChecked
        />
      )
    case 'int':
    case 'float':
    case 'double': {
      const { min, max, step, unit, scale } = dataType.specs
      const by = step ?? (dataType.type === 'int' ? 1 : undefined)
      if (min !== undefined && max !== undefined && by && (max - min) / by <= positions)
        return (
          <Slider
            ariaLabelForHandle={label}
            min={min}
            max={max}
            step={by}
            defaultValue={Math.round((min + max) / 2 / by) * by}
            tooltip={{ formatter: (value) => `${value}${unit ? ` ${unit}` : ''}` }}
            style={{ ...width, margin: '4px 6px' }}
          />
        )
      return (
        <InputNumber
          aria-label={label}
          size="small"
          {...{ min, max, step, precision: scale }}
          suffix={unit}
          style={width}
        />
      )
    }
    case 'enum': {
      const options = optionsOf(dataType.specs)
      return (
        <Select
          aria-label={label}
          size="small"
          options={options}
          defaultValue={options[0]?.value}
          style={width}
        />
      )
    }
    case 'bitmap':
      return <Checkbox.Group aria-label={label} options={optionsOf(dataType.specs)} />
    case 'text':
      return (
        <Input aria-label={label} size="small" maxLength={dataType.specs.length} style={width} />
      )
    case 'date':
      return <DatePicker aria-label={label} size="small" showTime style={width} />
    case 'struct':
      return <span>{dataType.specs.map((member) => member.name).join('、')}</span>
    case 'array':
      return <span>列表，最多 {dataType.specs.size} 项</span>
  }
}

/** How what is only read looks: a number with its unit, a word. */
function reading(dataType: DataType) {
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double':
      return `数值 ${dataType.specs.unit ?? ''}`
    case 'bool':
    case 'enum':
    case 'bitmap':
      return `文字，如 ${Object.values(dataType.specs)[0] ?? ''}`
    default:
      return '文字'
  }
}
