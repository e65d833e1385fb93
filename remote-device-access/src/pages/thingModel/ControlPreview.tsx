import Checkbox from 'antd/es/checkbox'
import Input from 'antd/es/input'
import Radio from 'antd/es/radio'
import Slider from 'antd/es/slider'
import Switch from 'antd/es/switch'
import { useState } from 'react'
import { toTextOptions } from '@iot/shared/contract/options'
import type { Widget } from '@iot/shared/contract/product/controlType.schema'
import type { DataType, Property } from '@iot/shared/contract/thingModel/thingModel.schema'
import { DatePicker } from '@iot/shared/ui/datePicker'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'
import { ColourPicker } from './ColourPicker'
import { isColour } from './colour'
import { getSliderRange } from './slider'

const controlWidth = { width: 140 }

type ControlPreviewProps = Property & { widget?: Widget }

/** Previews the control of a property; trying it out changes nothing. */
export function ControlPreview({ accessMode, dataType, name, widget }: ControlPreviewProps) {
  const label = `${name}的控件`
  if (accessMode === 'r' || widget === 'value') return <span>{describeReadOnly(dataType)}</span>
  if (isColour(dataType)) return <ColourPreview label={label} />
  if (widget === 'buttons' && (dataType.type === 'bool' || dataType.type === 'enum')) {
    const options = toTextOptions(dataType.specs)
    return (
      <Radio.Group
        aria-label={label}
        size="small"
        optionType="button"
        options={options}
        defaultValue={options[0]?.value}
      />
    )
  }
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
      const { step, unit } = dataType.specs
      const slider = getSliderRange(dataType, widget)
      if (slider)
        return (
          <Slider
            ariaLabelForHandle={label}
            {...slider}
            defaultValue={Math.round((slider.min + slider.max) / 2 / slider.step) * slider.step}
            tooltip={{ formatter: (value) => `${value}${unit ? ` ${unit}` : ''}` }}
            style={{ ...controlWidth, margin: '4px 6px' }}
          />
        )
      return (
        <NumberInput
          aria-label={label}
          size="small"
          step={step}
          suffix={unit}
          style={controlWidth}
        />
      )
    }
    case 'enum': {
      const options = toTextOptions(dataType.specs)
      return (
        <Select
          aria-label={label}
          size="small"
          options={options}
          defaultValue={options[0]?.value}
          style={controlWidth}
        />
      )
    }
    case 'bitmap':
      return <Checkbox.Group aria-label={label} options={toTextOptions(dataType.specs)} />
    case 'text':
      return <Input aria-label={label} size="small" style={controlWidth} />
    case 'date':
      return <DatePicker aria-label={label} size="small" showTime style={controlWidth} />
    case 'struct':
      return <span>{dataType.specs.map((member) => member.name).join('、')}</span>
    case 'array':
      return <span>列表，最多 {dataType.specs.size} 项</span>
  }
}

function ColourPreview({ label }: { label: string }) {
  const [colour, setColour] = useState('#ffb84d')
  return (
    <ColourPicker
      label={label}
      size="small"
      value={colour}
      emptyLabel="未选"
      onChange={(selectedColour) => setColour(selectedColour.toHexString())}
    />
  )
}

/** Previews a read-only property as a number with unit or as a text. */
function describeReadOnly(dataType: DataType) {
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double':
      return `数值 ${dataType.specs.unit ?? ''}`
    case 'bool':
    case 'enum':
    case 'bitmap':
      return `文字，如 ${Object.values(dataType.specs)[0] ?? ''}`
    case 'date':
    case 'text':
    case 'struct':
    case 'array':
      return '文字'
  }
}
