import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { getLightState } from '../../contract/control/light'
import { planKeysText } from '../floorPlan/usePlanKeys'
import { useLiveDevice } from '../useBuilding'
import { formatLabel } from './liveLamp'
import type { ManyLampsProps } from './manyLamps'
import * as styles from './manyLamps.module.css'

type KeyboardCursorProps = {
  ref: RefObject<HTMLButtonElement | null>
  light: MapDevice
  fault?: string
  onStep: (event: KeyboardEvent) => void
  onPress: ManyLampsProps['onPress']
  onPoint: ManyLampsProps['onPoint']
}

/** Button for the lamp at the keyboard cursor; a screen reader announces each change of lamp or state. */
export function KeyboardCursor({
  ref,
  light: initialLight,
  fault,
  onStep,
  onPress,
  onPoint,
}: KeyboardCursorProps) {
  const light = useLiveDevice(initialLight)
  const [hasFocus, setHasFocus] = useState(false)
  const text = formatLabel(light, fault)
  useEffect(() => {
    if (!hasFocus) return
    // The button moves to its lamp in the next frame.
    const request = requestAnimationFrame(() =>
      onPoint(initialLight, ref.current?.getBoundingClientRect()),
    )
    return () => cancelAnimationFrame(request)
  }, [hasFocus, initialLight, onPoint, ref])
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={styles.cursor}
        aria-label={text}
        aria-pressed={getLightState(light) === 'on'}
        aria-description={`方向键到旁边的灯，翻页键逐个走，回车开关，${planKeysText}`}
        data-stop={light.id}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false)
          onPoint()
        }}
        onKeyDown={onStep}
        onClick={(event) => onPress(light, event)}
      />
      <span className={styles.spoken} aria-live="polite">
        {hasFocus && text}
      </span>
    </>
  )
}
