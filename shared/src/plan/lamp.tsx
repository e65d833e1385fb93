import { memo } from 'react'
import type { MapDevice } from '../contract/device'
import { lightSwitch, lookOf } from '../contract/light'
import { asOf, isWaiting, labelOf } from './lights'
import { useNow } from './useBuilding'
import * as styles from './lamp.module.css'

type LampProps = {
  light: MapDevice
  x: number
  y: number
  isPicked: boolean
  isHighlighted: boolean
  onPress: (light: MapDevice) => void
}

/** A lamp where it hangs: what it last confirmed, and that it was asked since. Drawn again only when it changed. */
export const Lamp = memo(function Lamp({
  light: known,
  x,
  y,
  isPicked,
  isHighlighted,
  onPress,
}: LampProps) {
  const light = useNow(known)
  const look = lookOf(light)
  const waiting = isWaiting(light)
  const label = labelOf(light)
  const classes = [
    styles.lamp,
    look === 'on' && styles.on,
    look === 'offline' && styles.offline,
    look !== 'offline' && asOf(light, lightSwitch) && styles.stale,
    isPicked && styles.picked,
    isHighlighted && styles.highlighted,
  ]
  return (
    <g
      className={classes.filter(Boolean).join(' ')}
      transform={`translate(${x} ${y})`}
      role="button"
      tabIndex={0}
      aria-label={label}
      aria-pressed={look === 'on'}
      onClick={() => onPress(light)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onPress(light)
      }}
    >
      <title>{label}</title>
      <circle className={styles.reach} r={24} />
      <circle className={styles.halo} r={20} />
      <circle className={styles.body} r={11} />
      {look === 'offline' && <path className={styles.cross} d="m-4-4 8 8m0-8-8 8" />}
      {light.protected && (
        <path
          className={styles.shield}
          d="M0-19l6 2.500v4c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8v-4z"
          transform="translate(14 0) scale(1.15)"
        />
      )}
      {waiting && <circle className={styles.wait} r={16} />}
    </g>
  )
})
