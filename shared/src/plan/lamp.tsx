import { memo, useRef } from 'react'
import type { MapDevice } from '../contract/device'
import { lastLookOf, lightSwitch, lookOf } from '../contract/light'
import { asOf, isAmong, isWaiting, labelOf, signs, type Only } from './lights'
import { litBy, pictureOf, variantOf, type TypeLook } from './typeLooks'
import { useNow } from './useBuilding'
import * as styles from './lamp.module.css'

type LampProps = {
  light: MapDevice
  x: number
  y: number
  isPicked: boolean
  isHighlighted: boolean
  /** The lamp is the current tab stop of the plan. */
  isStop?: boolean
  /** Describes a problem of the lamp, if there is one. */
  fault?: string
  /** Filter; lamps that do not match are dimmed. */
  only?: Only
  /** The look is that of the lamp's product type. */
  typeLook?: TypeLook
  onPress: (light: MapDevice, event: { shiftKey: boolean }) => void
  /** Called after a long press or a right click. */
  onOpen: (light: MapDevice) => void
}

/** Duration of a long press in ms. */
const holding = 500
const slack = 8
/** Half the size of a picture in the middle of a lamp, in units of the drawing. */
const half = 6.5

/**
 * A lamp at its position with its last reported state and a mark for a command in flight. It renders only when it
 * changes.
 */
export const Lamp = memo(function Lamp({
  light: known,
  x,
  y,
  isPicked,
  isHighlighted,
  isStop = false,
  fault,
  only,
  typeLook,
  onPress,
  onOpen,
}: LampProps) {
  const light = useNow(known)
  // An unknown state is drawn as the last known one in the style of stale values.
  const look = lastLookOf(light)
  const waiting = isWaiting(light)
  const label = [labelOf(light), fault].filter(Boolean).join('，')
  const hold = useRef<{ timer: number; x: number; y: number }>(undefined)
  const wasHeld = useRef(false)
  const letGo = () => {
    clearTimeout(hold.current?.timer)
    hold.current = undefined
  }
  const variant = variantOf(look, !!fault)
  const picture = typeLook && pictureOf(typeLook, variant)
  const classes = [
    styles.lamp,
    look === 'on' && styles.on,
    look === 'offline' && styles.offline,
    look !== 'offline' && asOf(light, lightSwitch) && styles.stale,
    isPicked && styles.picked,
    isHighlighted && styles.highlighted,
    fault && styles.faulty,
    only && !isAmong(light, only) && styles.aside,
  ]
  return (
    <g
      className={classes.filter(Boolean).join(' ')}
      transform={`translate(${x} ${y})`}
      role="button"
      data-stop={light.id}
      tabIndex={isStop ? 0 : -1}
      aria-label={label}
      aria-pressed={lookOf(light) === 'on'}
      onPointerDown={({ button, clientX, clientY }) => {
        wasHeld.current = false
        if (button !== 0) return
        const timer = window.setTimeout(() => {
          wasHeld.current = true
          onOpen(light)
        }, holding)
        hold.current = { timer, x: clientX, y: clientY }
      }}
      onPointerMove={({ clientX, clientY }) => {
        const from = hold.current
        if (from && Math.hypot(clientX - from.x, clientY - from.y) > slack) letGo()
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onPointerLeave={letGo}
      onContextMenu={(event) => {
        event.preventDefault()
        if (!wasHeld.current) onOpen(light)
      }}
      onClick={(event) => {
        if (!wasHeld.current) onPress(light, event)
        wasHeld.current = false
      }}
      onKeyDown={(event) => {
        if (event.key === 'i') return onOpen(light)
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onPress(light, event)
      }}
    >
      <title>{`${label}\n单击开关，长按或右击看详情`}</title>
      <g className={styles.steady} style={typeLook?.color ? litBy(typeLook.color) : undefined}>
        <circle className={styles.reach} r={16} />
        <circle className={styles.halo} r={15} />
        <circle className={styles.body} r={8.5} />
        {picture?.src && (
          <image
            className={picture.isOwn || look !== 'offline' ? undefined : styles.dim}
            href={picture.src}
            {...{ x: -half, y: -half, width: 2 * half, height: 2 * half }}
          />
        )}
        {look === 'offline' && !picture?.isOwn && <path className={styles.cross} d={signs.cross} />}
        {fault && !(picture?.isOwn && variant === 'fault') && (
          <path className={styles.fault} d={signs.fault} />
        )}
        {light.protected && (
          <path className={styles.shield} d={signs.shield} transform="translate(10 1) scale(.85)" />
        )}
        {waiting && <circle className={styles.wait} r={12.5} />}
      </g>
    </g>
  )
})
