import { ColorPicker } from 'antd'
import { useState } from 'react'
import { colourOf, colourText } from '../thingModel/colour'

type ColourControlProps = {
  label: string
  /** JSON text: what the device says, or is asked for. */
  value?: number | string
  disabled?: boolean
  onSet: (value: string) => void
}

/** Sets a colour once the hand lets go; until the device says it, the old one stands. */
export default function ColourControl({ label, value, disabled, onSet }: ColourControlProps) {
  const [typed, setTyped] = useState<string>()
  const known = colourOf(value)
  return (
    <ColorPicker
      aria-label={label}
      disabled={disabled}
      disabledAlpha
      format="rgb"
      value={typed ?? known ?? null}
      onChange={(colour) => setTyped(colour.toRgbString())}
      onChangeComplete={(colour) => {
        setTyped(undefined)
        onSet(colourText(colour.toRgb()))
      }}
      showText={typed || known ? undefined : () => '未知'}
    />
  )
}
