import { Button, ColorPicker, Flex } from 'antd'
import { useState } from 'react'
import { colourOf, colourText } from '../thingModel/colour'

type ColourControlProps = {
  label: string
  /** JSON text: what the device says, or is asked for. */
  value?: number | string
  disabled?: boolean
  onSet: (value: string) => void
}

/** Sets a colour once it is whole: typed digit by digit, each one would be a command. Closed without 设置 it is dropped. */
export default function ColourControl({ label, value, disabled, onSet }: ColourControlProps) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<{ css: string; json: string }>()
  const known = colourOf(value)
  const open = (next: boolean) => {
    setOpen(next)
    setChosen(undefined)
  }
  return (
    <ColorPicker
      aria-label={label}
      disabled={disabled}
      disabledAlpha
      format="rgb"
      open={isOpen}
      onOpenChange={open}
      value={chosen?.css ?? known ?? null}
      onChange={(colour) =>
        setChosen({ css: colour.toRgbString(), json: colourText(colour.toRgb()) })
      }
      panelRender={(panel) => (
        <Flex vertical gap={12}>
          {panel}
          <Button
            type="primary"
            size="small"
            disabled={!chosen}
            onClick={() => {
              if (chosen) onSet(chosen.json)
              open(false)
            }}
          >
            设置
          </Button>
        </Flex>
      )}
      showText={chosen || known ? undefined : () => '未知'}
    />
  )
}
