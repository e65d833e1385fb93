import Flex from 'antd/es/flex'
import Slider from 'antd/es/slider'
import { useState } from 'react'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { inFlightText } from '@iot/shared/session/outgoing'
import { Can } from '@iot/shared/ui/right'
import * as styles from './lampCard.module.css'

type PropertySliderProps = {
  name: string
  min: number
  max: number
  step: number
  unit: string
  value?: number | string
  desiredValue?: number | string
  refusal?: string | false
  /** End of the newest task that has ended. */
  lastEndTime?: string | null
  /** `onRefused` is called if the command is refused, or the user decides against it. */
  onSet: (value: number, onRefused: () => void) => void
}

/**
 * Sends the value when the slider is released, and keeps it with 发送中 until the lamp has reported it or the command
 * has failed; then it shows what the lamp reports.
 */
export function PropertySlider({
  name,
  min,
  max,
  step,
  unit,
  value,
  desiredValue,
  refusal,
  lastEndTime,
  onSet,
}: PropertySliderProps) {
  const [draggedValue, setDraggedValue] = useState<number>()
  /** The value of a command stays until the platform, the lamp or the end of the task tells more. */
  const answerKey = JSON.stringify([desiredValue, value, lastEndTime])
  const [sentCommand, setSentCommand] = useState<{ value: number; answerKey: string }>()
  const sentValue = sentCommand?.answerKey === answerKey ? sentCommand.value : undefined
  const wantedValue = sentValue ?? desiredValue
  const reportedText = value === undefined ? '未上报' : `${value}${unit}`
  return (
    <div>
      <Flex justify="space-between">
        <span>{name}</span>
        <span className={styles.value}>
          {draggedValue !== undefined
            ? `${draggedValue}${unit}`
            : wantedValue !== undefined
              ? `${reportedText} → ${wantedValue}${unit}，${sentValue === undefined ? '等待确认' : inFlightText.sending}`
              : reportedText}
        </span>
      </Flex>
      <Can to={devicePermissions.control} unless={refusal}>
        <Slider
          {...{ min, max, step }}
          ariaLabelForHandle={name}
          tooltip={{ open: false }}
          value={draggedValue ?? Number(sentValue ?? desiredValue ?? value ?? min)}
          onChange={setDraggedValue}
          onChangeComplete={(next) => {
            setDraggedValue(undefined)
            setSentCommand({ value: next, answerKey })
            onSet(next, () => setSentCommand(undefined))
          }}
        />
      </Can>
    </div>
  )
}
