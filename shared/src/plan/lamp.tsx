import { memo, useRef } from 'react'
import type { MapDevice } from '../contract/device/device.schema'
import { getLastLightState, getLightState } from '../contract/control/light'
import type { PointAtLamp } from './floorPlan/useLampTip'
import {
  matchesLightFilter,
  isCommandPending,
  formatLightLabel,
  heldMark,
  signPaths,
  type LightFilter,
} from './lights'
import { createLitStyle, getTypePicture, getIconVariant, type TypeLook } from './typeLooks'
import { useLiveDevice } from './useBuilding'
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
  only?: LightFilter
  /** The look is that of the lamp's product type. */
  typeLook?: TypeLook
  onPress: (light: MapDevice, event: { shiftKey: boolean }) => void
  /** Called after a long press or a right click. */
  onOpen: (light: MapDevice) => void
  onPoint?: PointAtLamp
}

/** Duration of a long press in ms. */
const longPressMs = 500
const maxMovePx = 8
/** Half the size of a picture in the middle of a lamp, in units of the drawing. */
const halfPictureSize = 6.5

/**
 * A lamp at its position with its last reported state and a mark for a command in flight. It renders only when it
 * changes.
 */
export const Lamp = memo(function Lamp({
  light: initialLight,
  x,
  y,
  isPicked,
  isHighlighted,
  isStop = false,
  fault,
  only: lightFilter,
  typeLook,
  onPress,
  onOpen,
  onPoint,
}: LampProps) {
  const light = useLiveDevice(initialLight)
  // An unknown state is drawn as the last known one in the style of stale values.
  const look = getLastLightState(light)
  const isConnected = look !== 'offline' && look !== 'inactive'
  const isPending = isCommandPending(light)
  const label = [formatLightLabel(light), fault].filter(Boolean).join('，')
  const pressStart = useRef<{ timer: number; x: number; y: number }>(undefined)
  const wasLongPress = useRef(false)
  const cancelLongPress = () => {
    clearTimeout(pressStart.current?.timer)
    pressStart.current = undefined
  }
  const variant = getIconVariant(look, !!fault)
  const picture = typeLook && getTypePicture(typeLook, variant)
  const classes = [
    styles.lamp,
    look === 'on' && styles.on,
    look === 'offline' && styles.offline,
    look === 'inactive' && styles.inactive,
    // A lamp that has not reported its switch yet is as unknown as one with a stale value.
    isConnected && getLightState(light) === 'unknown' && styles.stale,
    isPicked && styles.picked,
    isHighlighted && styles.highlighted,
    fault && styles.faulty,
    lightFilter && !matchesLightFilter(light, lightFilter) && styles.aside,
  ]
  return (
    <g
      className={classes.filter(Boolean).join(' ')}
      transform={`translate(${x} ${y})`}
      role="button"
      data-stop={light.id}
      tabIndex={isStop ? 0 : -1}
      aria-label={label}
      aria-pressed={getLightState(light) === 'on'}
      onPointerDown={({ button, clientX, clientY }) => {
        wasLongPress.current = false
        if (button !== 0) return
        const timer = window.setTimeout(() => {
          wasLongPress.current = true
          onOpen(light)
        }, longPressMs)
        pressStart.current = { timer, x: clientX, y: clientY }
      }}
      onPointerMove={({ clientX, clientY }) => {
        const pressPoint = pressStart.current
        if (pressPoint && Math.hypot(clientX - pressPoint.x, clientY - pressPoint.y) > maxMovePx)
          cancelLongPress()
      }}
      onPointerUp={cancelLongPress}
      onPointerCancel={cancelLongPress}
      // A finger has no card, because it would lie under the hand; a long press opens the details.
      onPointerEnter={({ pointerType, buttons, currentTarget }) => {
        if (pointerType === 'mouse' && buttons === 0)
          onPoint?.(initialLight, currentTarget.getBoundingClientRect())
      }}
      onPointerLeave={() => {
        cancelLongPress()
        onPoint?.()
      }}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible'))
          onPoint?.(initialLight, currentTarget.getBoundingClientRect())
      }}
      onBlur={() => onPoint?.()}
      onContextMenu={(event) => {
        event.preventDefault()
        if (!wasLongPress.current) onOpen(light)
      }}
      onClick={(event) => {
        onPoint?.()
        if (!wasLongPress.current) onPress(light, event)
        wasLongPress.current = false
      }}
      onKeyDown={(event) => {
        if (event.key === 'i') return onOpen(light)
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onPress(light, event)
      }}
    >
      <g
        className={styles.steady}
        style={typeLook?.color ? createLitStyle(typeLook.color) : undefined}
      >
        <circle className={styles.reach} r={16} />
        <circle className={styles.halo} r={15} />
        <circle className={styles.body} r={8.5} />
        {picture?.src && (
          <image
            className={picture.isOwn || isConnected ? undefined : styles.dim}
            href={picture.src}
            {...{
              x: -halfPictureSize,
              y: -halfPictureSize,
              width: 2 * halfPictureSize,
              height: 2 * halfPictureSize,
            }}
          />
        )}
        {look === 'offline' && !picture?.isOwn && (
          <path className={styles.cross} d={signPaths.cross} />
        )}
        {fault && !(picture?.isOwn && variant === 'fault') && (
          <path className={styles.fault} d={signPaths.fault} />
        )}
        {light.protected && (
          <path
            className={styles.shield}
            d={signPaths.shield}
            transform="translate(10 1) scale(.85)"
          />
        )}
        {light.override && (
          <g className={styles.held} transform={`translate(${heldMark.x} ${heldMark.y})`}>
            <circle r={heldMark.radius} />
            <path d={signPaths.held} />
          </g>
        )}
        {isPending && <circle className={styles.wait} r={12.5} />}
      </g>
    </g>
  )
})
