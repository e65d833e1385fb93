import { Button, Flex, Radio, Slider, Space, Switch, Typography } from 'antd'
import { useState } from 'react'
import type { Widget } from '@iot/shared/contract/controlType'
import type { Property } from '@iot/shared/contract/thingModel'
import { refuseValue } from '@iot/shared/contract/thingValue'
import { sliderOf } from '../thingModel/slider'
import { ValueField } from '../thingModel/ValueField'
import { valueText } from './valueText'

type Value = number | string
type PropertyControlProps = {
  property: Property
  /** A control type may set the widget; the default depends on the data type. */
  widget?: Widget
  reported?: Value
  /** The device has not confirmed this desired value yet. */
  wished?: Value
  disabled?: boolean
  onSet: (value: Value) => void
}

/**
 * Sets a simple property with a control for its type. A switch keeps showing the reported value until the device
 * reports another one.
 */
export function PropertyControl({
  property: { name, dataType },
  widget,
  reported,
  wished,
  disabled,
  onSet,
}: PropertyControlProps) {
  const [typed, setTyped] = useState<Value | null>()
  const label = `设置${name}`
  const isWaiting = wished !== undefined
  const isOff = disabled || isWaiting
  const value = typed ?? wished ?? reported
  const set = (to: Value) => {
    setTyped(undefined)
    onSet(to)
  }

  if (widget === 'buttons' && (dataType.type === 'bool' || dataType.type === 'enum'))
    return (
      <Radio.Group
        aria-label={label}
        optionType="button"
        options={Object.entries(dataType.specs).map(([code, text]) => ({
          value: Number(code),
          label: text,
        }))}
        value={wished ?? reported}
        disabled={isOff}
        onChange={({ target }) => set(target.value as Value)}
      />
    )
  // An unknown value is neither on nor off, so no switch is shown.
  if (dataType.type === 'bool' && reported !== undefined)
    return (
      <Switch
        aria-label={label}
        checked={reported === 1}
        loading={isWaiting}
        disabled={disabled}
        checkedChildren={dataType.specs[1]}
        unCheckedChildren={dataType.specs[0]}
        onChange={(isOn) => set(Number(isOn))}
      />
    )
  if (dataType.type === 'bool' || dataType.type === 'enum')
    return (
      <ValueField
        label={label}
        dataType={dataType}
        value={wished ?? reported}
        disabled={isOff}
        onChange={(chosen) => set(chosen as Value)}
      />
    )
  const slider = sliderOf(dataType, widget)
  if (slider)
    return (
      <Flex align="center" gap={12}>
        <Slider
          ariaLabelForHandle={label}
          {...slider}
          value={Number(value ?? slider.min)}
          disabled={isOff}
          tooltip={{ formatter: (at) => valueText(dataType, at) }}
          onChange={setTyped}
          onChangeComplete={set}
          style={{ flex: 1, minWidth: 140, margin: '4px 6px' }}
        />
        <span style={{ minWidth: 64, textAlign: 'end', fontVariantNumeric: 'tabular-nums' }}>
          {value === undefined ? '未知' : valueText(dataType, value)}
        </span>
      </Flex>
    )
  const isTyped = typed !== undefined && typed !== null && typed !== ''
  const wrong = isTyped ? refuseValue(dataType, typed) : undefined
  const submit = () => isTyped && !wrong && set(typed)
  return (
    <Flex vertical>
      <Space.Compact>
        <ValueField
          label={label}
          dataType={dataType}
          value={typed === undefined ? (wished ?? reported) : typed}
          disabled={isOff}
          onChange={(to) => setTyped(to ?? null)}
          onPressEnter={submit}
        />
        <Button disabled={isOff || !isTyped || !!wrong} onClick={submit}>
          设置
        </Button>
      </Space.Compact>
      {wrong && (
        <Typography.Text type="danger" style={{ fontSize: 12 }}>
          {name}
          {wrong}
        </Typography.Text>
      )}
    </Flex>
  )
}
