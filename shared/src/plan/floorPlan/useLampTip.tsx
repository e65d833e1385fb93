import useKeyPress from 'ahooks/es/useKeyPress'
import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useEffect, useRef, useState, type ComponentProps } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { lazyPart } from '../../ui/lazyPart'
import type LampTipComponent from '../lampTip'

const LampTip = lazyPart(() => import('../lampTip'))

/** Delay before the card appears, so that it does not flicker under a moving mouse. */
const showDelayMs = 250
/** Time for the mouse or the keyboard to reach the card from its lamp. */
const hideDelayMs = 400

/** Called with a lamp and its place on the screen while it is pointed at, and without arguments afterwards. */
export type PointAtLamp = (light?: MapDevice, rect?: DOMRect) => void

type LampTipOptions = Pick<
  ComponentProps<typeof LampTipComponent>,
  'pressText' | 'refusal' | 'onPickRoom'
> & {
  lights: MapDevice[]
  faults: ReadonlyMap<string, string>
  getRoomName: (spaceId: string) => string | undefined
  onOpen: (light: MapDevice) => void
}

/** Shows the card of the lamp under the mouse or with the keyboard focus. */
export function useLampTip({
  lights,
  faults,
  getRoomName,
  onOpen,
  onPickRoom,
  ...tipProps
}: LampTipOptions) {
  const [shownLamp, setShown] = useState<{ light: MapDevice; rect: DOMRect }>()
  const timer = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (next: typeof shownLamp, delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setShown(next), delayMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setShown(undefined)
  }
  useKeyPress('esc', hide)
  /** The function is stable, so that unchanged lamps do not render. */
  const pointAt: PointAtLamp = useMemoizedFn((light, rect) =>
    light && rect ? show({ light, rect }, showDelayMs) : show(undefined, hideDelayMs),
  )
  const light = shownLamp && lights.find(({ id }) => id === shownLamp.light.id)
  return {
    pointAt,
    hide: useMemoizedFn(hide),
    tip: light && (
      <LampTip
        {...tipProps}
        key={light.id}
        light={light}
        fault={faults.get(light.id)}
        at={shownLamp.rect}
        roomName={getRoomName(light.spaceId)}
        onOpen={() => {
          hide()
          onOpen(light)
        }}
        onPickRoom={onPickRoom}
        onEnter={() => clearTimeout(timer.current)}
        onLeave={() => show(undefined, hideDelayMs)}
      />
    ),
  }
}
