import { Button, Flex } from 'antd'
import { useState } from 'react'
import { colourOf, colourText } from '../thingModel/colour'
import { ColourPicker } from '../thingModel/ColourPicker'

type ColourControlProps = {
  label: string
  /** The reported or desired colour is JSON text. */
  value?: number | string
  disabled?: boolean
  onSet: (value: string) => void
}

/**
 * Sends a colour only when 设置 is pressed, because each typed digit would otherwise be a command. Closing it discards
 * the choice.
 */
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
