import { Button, Flex } from 'antd'
import { useState } from 'react'
import { colourOf, colourText } from '../thingModel/colour'
import { ColourPicker } from '../thingModel/ColourPicker'

type ColourControlProps = {
  label: string
  /** JSON text: what the device says, or is asked for. */
  value?: number | string
  disabled?: boolean
  onSet: (value: string) => void
}

/** Sets a colour once it is whole: typed digit by digit, each one would be a command. Closed without 设置 it is dropped. */
export default function ColourControl({ label, value, disabled, onSet }: ColourControlProps) {
  const [chosen, setChosen] = useState<{ css: string; json: string }>()
  return (
    <ColourPicker
      label={label}
      disabled={disabled}
      format="rgb"
      value={chosen?.css ?? colourOf(value)}
      none="未知"
      size="small"
      onClose={() => setChosen(undefined)}
      onChange={(colour) =>
        setChosen({ css: colour.toRgbString(), json: colourText(colour.toRgb()) })
      }
      panel={(inside, close) => (
        <Flex vertical gap={12}>
          {inside}
          <Button
            type="primary"
            size="small"
            disabled={!chosen}
            onClick={() => {
              if (chosen) onSet(chosen.json)
              close()
            }}
          >
            设置
          </Button>
        </Flex>
      )}
    />
  )
}
