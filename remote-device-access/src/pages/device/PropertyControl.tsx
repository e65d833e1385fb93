import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Radio from 'antd/es/radio'
import Slider from 'antd/es/slider'
import Space from 'antd/es/space'
import Switch from 'antd/es/switch'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import type { Widget } from '@iot/shared/contract/product/controlType.schema'
import type { Property } from '@iot/shared/contract/thingModel/thingModel.schema'
import { validateValue } from '@iot/shared/contract/thingModel/thingValue'
import { getSliderRange } from '../thingModel/slider'
import { ValueField } from '../thingModel/ValueField'
import { formatDeviceValue } from './formatDeviceValue'

type Value = number | string
type PropertyControlProps = {
  property: Property
  /** A control type may set the widget; the default depends on the data type. */
  widget?: Widget
  reported?: Value
  /** The device has not confirmed this desired value yet. */
  desiredValue?: Value
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
  desiredValue,
  disabled,
  onSet,
}: PropertyControlProps) {
  const [typedValue, setTypedValue] = useState<Value | null>()
  const label = `设置${name}`
  const isAwaitingConfirmation = desiredValue !== undefined
  const isDisabled = disabled || isAwaitingConfirmation
  const value = typedValue ?? desiredValue ?? reported
  const sendValue = (newValue: Value) => {
    setTypedValue(undefined)
    onSet(newValue)
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
        value={desiredValue ?? reported}
        disabled={isDisabled}
        onChange={({ target }) => sendValue(target.value as Value)}
      />
    )
  // An unknown value is neither on nor off, so no switch is shown.
  if (dataType.type === 'bool' && reported !== undefined)
    return (
      <Switch
        aria-label={label}
        checked={reported === 1}
        loading={isAwaitingConfirmation}
        disabled={disabled}
        checkedChildren={dataType.specs[1]}
        unCheckedChildren={dataType.specs[0]}
        onChange={(isSwitchOn) => sendValue(Number(isSwitchOn))}
      />
    )
  if (dataType.type === 'bool' || dataType.type === 'enum')
    return (
      <ValueField
        label={label}
        dataType={dataType}
        value={desiredValue ?? reported}
        disabled={isDisabled}
        onChange={(selectedValue) => sendValue(selectedValue as Value)}
      />
    )
  const slider = getSliderRange(dataType, widget)
  if (slider)
    return (
      <Flex align="center" gap={12}>
        <Slider
          ariaLabelForHandle={label}
          {...slider}
          value={Number(value ?? slider.min)}
          disabled={isDisabled}
          tooltip={{ formatter: (sliderValue) => formatDeviceValue(dataType, sliderValue) }}
          onChange={setTypedValue}
          onChangeComplete={sendValue}
          style={{ flex: 1, minWidth: 140, margin: '4px 6px' }}
        />
        <span style={{ minWidth: 64, textAlign: 'end', fontVariantNumeric: 'tabular-nums' }}>
          {value === undefined ? '未知' : formatDeviceValue(dataType, value)}
        </span>
      </Flex>
    )
  const isTyped = typedValue !== undefined && typedValue !== null && typedValue !== ''
  const typedError = isTyped ? validateValue(dataType, typedValue) : undefined
  const submit = () => isTyped && !typedError && sendValue(typedValue)
  return (
    <Flex vertical>
      <Space.Compact>
        <ValueField
          label={label}
          dataType={dataType}
          value={typedValue === undefined ? (desiredValue ?? reported) : typedValue}
          disabled={isDisabled}
          onChange={(typedNumber) => setTypedValue(typedNumber ?? null)}
          onPressEnter={submit}
        />
        <Button disabled={isDisabled || !isTyped || !!typedError} onClick={submit}>
          设置
        </Button>
      </Space.Compact>
      {typedError && (
        <Typography.Text type="danger" style={{ fontSize: 12 }}>
          {name}
          {typedError}
        </Typography.Text>
      )}
    </Flex>
  )
}
