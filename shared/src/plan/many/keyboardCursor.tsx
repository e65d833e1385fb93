import { useState, type KeyboardEvent, type RefObject } from 'react'
import type { MapDevice } from '../../contract/device.schema'
import { getLightState } from '../../contract/light'
import { useLiveDevice } from '../useBuilding'
import { formatLabel } from './liveLamp'
import type { ManyLampsProps } from './manyLamps'
import { PlanTip } from './planTip'
import * as styles from './manyLamps.module.css'

type KeyboardCursorProps = {
  ref: RefObject<HTMLButtonElement | null>
  light: MapDevice
  fault?: string
  onStep: (event: KeyboardEvent) => void
  onPress: ManyLampsProps['onPress']
}

/** Button for the lamp at the keyboard cursor; a screen reader announces each change of lamp or state. */
export function KeyboardCursor({
  ref,
  light: initialLight,
  fault,
  onStep,
  onPress,
}: KeyboardCursorProps) {
  const light = useLiveDevice(initialLight)
  const [hasFocus, setHasFocus] = useState(false)
  const text = formatLabel(light, fault)
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={styles.cursor}
        aria-label={text}
        aria-pressed={getLightState(light) === 'on'}
        aria-description="方向键到旁边的灯，翻页键逐个走，回车开关，I 看详情"
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onKeyDown={onStep}
        onClick={(event) => onPress(light, event)}
      />
      <span className={styles.spoken} aria-live="polite">
        {hasFocus && text}
      </span>
    </>
  )
}

type LampTooltipProps = { light: MapDevice; fault?: string; x: number; y: number }
export function LampTooltip({ light, fault, x, y }: LampTooltipProps) {
  const text = formatLabel(useLiveDevice(light), fault)
  return (
    <PlanTip x={x} y={y}>
      {text}
    </PlanTip>
  )
}
