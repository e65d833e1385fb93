import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useState } from 'react'
import { toCssColour, toColourJson } from '../thingModel/colour'
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
  const [selectedColour, setSelectedColour] = useState<{ css: string; json: string }>()
  return (
    <ColourPicker
      label={label}
      disabled={disabled}
      format="rgb"
      value={selectedColour?.css ?? toCssColour(value)}
      emptyLabel="未知"
      size="small"
      onClose={() => setSelectedColour(undefined)}
      onChange={(colour) =>
        setSelectedColour({ css: colour.toRgbString(), json: toColourJson(colour.toRgb()) })
      }
      renderPanel={(panelContent, close) => (
        <Flex vertical gap={12}>
          {panelContent}
          <Button
            type="primary"
            size="small"
            disabled={!selectedColour}
            onClick={() => {
              if (selectedColour) onSet(selectedColour.json)
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
