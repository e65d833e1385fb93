import { useMemoizedFn } from 'ahooks'
import { theme } from 'antd'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { MapDevice } from '../../contract/device'
import { lookOf } from '../../contract/light'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { findOutgoing, outgoingAtom } from '../../session/outgoing'
import { store } from '../../session/store'
import { labelOf, type DeviceNow, type Only } from '../lights'
import type { TypeLooks } from '../typeLooks'
import { useNow } from '../useBuilding'
import { endsOf, goneTo } from '../neighbours'
import type { Over } from '../useZoom'
import { cellAt, lampAt, marksOf, painterOn, type View } from './painter'
import { usePaintedLooks } from './usePaintedLooks'
import * as styles from './manyLamps.module.css'

type ManyLampsProps = {
  plan: RefObject<SVGSVGElement | null>
  lay: (over: Over) => () => void
  lights: MapDevice[]
  /** Width and height are those of the drawing, in its units. */
  width: number
  height: number
  /** Maximum unit size of a lamp, see `useZoom`. */
  largest: number
  picked: ReadonlyMap<string, string>
  highlighted?: string
  faults: ReadonlyMap<string, string>
  only?: Only
  looks: TypeLooks
  isStopped: boolean
  isPicking: (event: { shiftKey: boolean }) => boolean
  onPress: (light: MapDevice, event: { shiftKey: boolean }) => void
  onOpen: (light: MapDevice) => void
  onPick: (lights: MapDevice[]) => void
  flyTo: (x: number, y: number) => void
  moveTo: (x: number, y: number) => void
}

type Press = { x: number; y: number; timer?: number; wasHeld?: boolean; wasMoved?: boolean }

/** Duration of a long press in ms. */
const holding = 500
/** Pixels that a finger may move during a press. */
const slack = 8
const nowOf = (light: MapDevice): DeviceNow => ({
  ...light,
  ...store.get(deviceStateAtom(light.id)),
  outgoing: findOutgoing(store.get(outgoingAtom), light.id),
})
const textOf = (light: DeviceNow, fault?: string) =>
  [labelOf(light), fault].filter(Boolean).join('，')

/**
 * Paints the lamps of a large floor on one canvas over the plan: React renders none of them, and a message repaints the
 * lamps it names. One button represents the lamp that the arrow keys have reached.
 */
export default function ManyLamps(props: ManyLampsProps) {
  const { plan, lay, lights, width, height, largest, picked, highlighted, faults, only } = props
  const { token } = theme.useToken()
  const canvas = useRef<HTMLCanvasElement>(null)
  const cursor = useRef<HTMLButtonElement>(null)
  const { numberOf, painted } = usePaintedLooks(lights, props.looks)
  const [current, setCurrent] = useState<string>()
  const [pointed, setPointed] = useState<{ lamp: number; x: number; y: number }>()
  const lamps = useMemo(
    () => ({
      x: Float64Array.from(lights, ({ x }) => x * width),
      y: Float64Array.from(lights, ({ y }) => y * height),
      marks: new Uint16Array(lights.length),
      drawing: { width, height },
    }),
    [lights, width, height],
  )
  const numbers = useMemo(() => new Map(lights.map(({ id }, n) => [id, n])), [lights])
  const [first] = useMemo(() => endsOf(lamps), [lamps])
  const at = numbers.get(current ?? '') ?? first

  const view = (): View => {
    const svg = plan.current!
    const { a: scale, e: left, f: top } = (svg.firstElementChild as SVGGElement).getCTM()!
    const { clientWidth, clientHeight } = svg
    const size = Math.min(1, largest * scale)
    return { scale, left, top, width: clientWidth, height: clientHeight, size }
  }
  const paint = useRef<ReturnType<typeof painterOn>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!canvas.current || !plan.current) return
    paint.current ??= painterOn(canvas.current)
    const seen = view()
    paint.current(
      lamps,
      seen,
      {
        ground: token.colorBgContainer,
        line: token.colorTextTertiary,
        border: token.colorBorderSecondary,
        error: token.colorError,
        primary: token.colorPrimary,
        text: token.colorText,
      },
      painted,
    )
    const [x, y] = [lamps.x[at]! * seen.scale + seen.left, lamps.y[at]! * seen.scale + seen.top]
    if (cursor.current) cursor.current.style.transform = `translate(${x}px, ${y}px)`
  })
  const asked = useRef(0)
  const drawSoon = useMemoizedFn(() => {
    cancelAnimationFrame(asked.current)
    asked.current = requestAnimationFrame(draw)
  })
  useEffect(() => () => cancelAnimationFrame(asked.current), [])
  useEffect(drawSoon, [drawSoon, token, at, largest, painted])

  useEffect(() => {
    const mark = (n: number) => {
      const light = lights[n]!
      lamps.marks[n] = marksOf(nowOf(light), {
        isPicked: picked.has(light.id),
        isHighlighted: light.id === highlighted,
        isFaulty: faults.has(light.id),
        only,
        look: numberOf.get(light.productType),
      })
    }
    const markAll = () => numbers.forEach(mark)
    markAll()
    drawSoon()
    const unwatch = store.sub(outgoingAtom, () => (markAll(), drawSoon()))
    const unsubscribe = store.sub(deviceMessageAtom, () => {
      const named = store.get(deviceMessageAtom)
      if (named.length === 0) markAll()
      for (const { id } of named) {
        const n = numbers.get(id)
        if (n !== undefined) mark(n)
      }
      drawSoon()
    })
    return () => (unwatch(), unsubscribe())
  }, [lights, numbers, lamps, picked, highlighted, faults, only, numberOf, drawSoon])

  const pointOf = (event: MouseEvent | TouchEvent) => {
    const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
    const { left, top } = plan.current!.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  /** Rooms and sensors are elements of the svg and handle their own events. */
  const isOwn = ({ target }: Event) => !(target as Element).closest('[role="button"],[role="img"]')
  const find = (event: MouseEvent | TouchEvent) =>
    isOwn(event) ? lampAt(lamps, view(), pointOf(event)) : undefined

  const press = useRef<Press>(undefined)
  const letGo = useMemoizedFn(() => clearTimeout(press.current?.timer))
  const isClick = () => press.current && !press.current.wasMoved && !press.current.wasHeld
  const onDown = useMemoizedFn((event: PointerEvent) => {
    letGo()
    press.current = { x: event.clientX, y: event.clientY }
    const lamp = event.button === 0 && !props.isPicking(event) ? find(event) : undefined
    if (lamp === undefined) return
    press.current.timer = window.setTimeout(() => {
      press.current!.wasHeld = true
      props.onOpen(nowOf(lights[lamp]!))
    }, holding)
  })
  const onMoved = useMemoizedFn((event: PointerEvent) => {
    const from = press.current
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > slack) {
      // A lasso ends where it began, which must not count as a click.
      from.wasMoved = true
      letGo()
    }
    if (event.pointerType !== 'mouse') return
    const lamp = event.buttons === 0 ? find(event) : undefined
    plan.current!.style.setProperty('cursor', lamp === undefined ? '' : 'pointer')
    if (lamp === pointed?.lamp) return
    const { scale, left, top } = view()
    setPointed(
      lamp === undefined
        ? undefined
        : { lamp, x: lamps.x[lamp]! * scale + left, y: lamps.y[lamp]! * scale + top },
    )
  })
  const onLeave = useMemoizedFn(() => {
    letGo()
    setPointed(undefined)
  })
  const onClick = useMemoizedFn((event: MouseEvent) => {
    if (!isOwn(event) || !isClick()) return
    const lamp = find(event)
    if (lamp !== undefined) {
      setCurrent(lights[lamp]!.id)
      return props.onPress(nowOf(lights[lamp]!), event)
    }
    const cell = cellAt(lamps, view(), pointOf(event))
    if (!cell) return
    if (props.isPicking(event)) return props.onPick(cell.lamps.map((n) => lights[n]!))
    props.flyTo(cell.x, cell.y)
  })
  const onMenu = useMemoizedFn((event: MouseEvent) => {
    const lamp = find(event)
    if (lamp === undefined) return
    event.preventDefault()
    letGo()
    if (!press.current?.wasHeld) props.onOpen(nowOf(lights[lamp]!))
  })
  const isOn = useMemoizedFn((event: MouseEvent | TouchEvent) => find(event) !== undefined)
  const onMove = useMemoizedFn(() => {
    if (pointed) setPointed(undefined)
    drawSoon()
  })
  useEffect(() => {
    const svg = plan.current!
    const ending = new AbortController()
    const { signal } = ending
    svg.addEventListener('pointerdown', onDown, { signal })
    svg.addEventListener('pointermove', onMoved, { signal })
    svg.addEventListener('pointerup', letGo, { signal })
    svg.addEventListener('pointercancel', letGo, { signal })
    svg.addEventListener('pointerleave', onLeave, { signal })
    svg.addEventListener('click', onClick, { signal })
    svg.addEventListener('contextmenu', onMenu, { signal })
    const takeOff = lay({ onMove, isOn })
    return () => {
      ending.abort()
      takeOff()
      svg.style.cursor = ''
    }
  }, [plan, lay, onDown, onMoved, letGo, onLeave, onClick, onMenu, isOn, onMove])

  const step = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'i') return props.onOpen(nowOf(lights[at]!))
    const next = goneTo(lamps, at, key)
    if (next === undefined) return
    event.preventDefault()
    setCurrent(lights[next]!.id)
    const { scale, left, top, width: seen, height: high } = view()
    const [x, y] = [lamps.x[next]! * scale + left, lamps.y[next]! * scale + top]
    if (x < slack || y < slack || x > seen - slack || y > high - slack)
      props.moveTo(lamps.x[next]!, lamps.y[next]!)
  }
  const light = lights[at]
  return (
    <div className={styles.clip}>
      <canvas
        ref={canvas}
        className={`${styles.lamps} ${props.isStopped ? styles.stopped : ''}`}
        aria-hidden
      />
      {light && (
        <Cursor
          ref={cursor}
          light={light}
          fault={faults.get(light.id)}
          onStep={step}
          onPress={props.onPress}
        />
      )}
      {pointed && lights[pointed.lamp] && (
        <Tip
          light={lights[pointed.lamp]!}
          fault={faults.get(lights[pointed.lamp]!.id)}
          x={pointed.x}
          y={pointed.y}
        />
      )}
    </div>
  )
}

type CursorProps = {
  ref: RefObject<HTMLButtonElement | null>
  light: MapDevice
  fault?: string
  onStep: (event: KeyboardEvent) => void
  onPress: ManyLampsProps['onPress']
}

/** Button for the lamp at the keyboard cursor; a screen reader announces each change of lamp or state. */
function Cursor({ ref, light: known, fault, onStep, onPress }: CursorProps) {
  const light = useNow(known)
  const [isHere, setHere] = useState(false)
  const text = textOf(light, fault)
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={styles.cursor}
        aria-label={text}
        aria-pressed={lookOf(light) === 'on'}
        aria-description="方向键到旁边的灯，翻页键逐个走，回车开关，I 看详情"
        onFocus={() => setHere(true)}
        onBlur={() => setHere(false)}
        onKeyDown={onStep}
        onClick={(event) => onPress(light, event)}
      />
      <span className={styles.spoken} aria-live="polite">
        {isHere && text}
      </span>
    </>
  )
}

type TipProps = { light: MapDevice; fault?: string; x: number; y: number }
function Tip({ light, fault, x, y }: TipProps) {
  return (
    <div className={styles.tip} style={{ left: x, top: y }} aria-hidden>
      {textOf(useNow(light), fault)}
    </div>
  )
}
