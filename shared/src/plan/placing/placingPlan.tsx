import { useMemoizedFn } from 'ahooks'
import { Space, theme } from 'antd'
import {
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent as ReactMouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
} from 'react'
import type { DeviceState } from '../../contract/device'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { store } from '../../session/store'
import { useLasso } from '../lasso'
import { bits, lampAt, painterOn, smallest, type View } from '../many/painter'
import { pointOn, useZoom } from '../useZoom'
import { zoomButtons } from '../zoomButtons'
import * as styles from './placingPlan.module.css'

type At = { x: number; y: number }
export type Dot = { id: string; name: string; at: At; state: DeviceState }
export type PlanHandle = {
  /** Returns a screen point in fractions of the plan; undefined outside of it. */
  pointAt: (client: { clientX: number; clientY: number }) => At | undefined
  /** Returns the centre of the visible part. */
  middle: () => At
  show: (at: At) => void
  focus: () => void
}

type PlacingPlanProps = {
  ref: Ref<PlanHandle>
  floor: { name: string; plan: string | null; planWidth: number | null; planHeight: number | null }
  dots: Dot[]
  selected: ReadonlySet<string>
  unsaved: ReadonlySet<string>
  failed: ReadonlyMap<string, string>
  /** A drag draws a lasso around devices instead of moving the plan. */
  isPicking: boolean
  /** A press beside devices places a device there. */
  isAiming: boolean
  isReadOnly: boolean
  onSelect: (ids: string[], isAdding: boolean) => void
  /** Moves the selected devices by an offset in fractions of the plan. */
  onDrag: (by: At) => void
  onPress: (at: At) => void
  onKeyDown: (event: KeyboardEvent) => void
  children?: ReactNode
}

/** Pixels that the pointer may move during a press. */
const slack = 4
/** Share of the distance to the next device that the radius of a device may take. */
const crowded = 0.45 / 16
/** Average distance in pixels from which the names of all devices are shown. */
const roomForNames = 110

type Touched = MouseEvent | TouchEvent | PointerEvent | ReactMouseEvent

function viewOf(svg: SVGSVGElement, spacing: number): View {
  const { a: scale, e: left, f: top } = (svg.firstElementChild as SVGGElement).getCTM()!
  const size = Math.max(smallest, Math.min(1, spacing * crowded * scale))
  return { scale, left, top, width: svg.clientWidth, height: svg.clientHeight, size }
}

/** Floor plan on which devices are placed; all of them are painted on one canvas. */
export default function PlacingPlan(props: PlacingPlanProps) {
  const { ref, floor, dots, selected, unsaved, failed, isReadOnly } = props
  const { token } = theme.useToken()
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const board = useRef<HTMLCanvasElement>(null)
  const spacing = Math.sqrt((width * height) / Math.max(1, dots.length))
  const [pointed, setPointed] = useState<{ dot: number; x: number; y: number }>()
  const press = useRef<{ x: number; y: number; wasMoved: boolean; drags: boolean }>(undefined)
  const drag = useRef<At>(undefined)

  const lamps = useMemo(
    () => ({
      x: Float64Array.from(dots, ({ at }) => at.x * width),
      y: Float64Array.from(dots, ({ at }) => at.y * height),
      marks: new Uint16Array(dots.length),
      drawing: { width, height },
    }),
    [dots, width, height],
  )

  /** Returns the device under the pointer, if any. */
  const find = (event: Touched) => {
    const svg = event.currentTarget as SVGSVGElement
    const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
    const { left, top } = svg.getBoundingClientRect()
    return lampAt(lamps, viewOf(svg, spacing), { x: clientX - left, y: clientY - top })
  }
  const draws = (event: Touched) => (props.isPicking || event.shiftKey) && find(event) === undefined
  const { canvas, plan, lay, zoomBy, reset, moveTo, flyTo } = useZoom(
    width,
    height,
    Math.max(spacing * crowded, 0.01),
    (event) =>
      !('touches' in event && event.touches.length > 1) &&
      (draws(event) || (!isReadOnly && find(event) !== undefined)),
  )
  const lasso = useLasso({ width, height }, draws, (isInside) => {
    const inside = dots.filter(({ at }) => isInside(at))
    if (inside.length > 0)
      props.onSelect(
        inside.map(({ id }) => id),
        true,
      )
  })

  const writeNames = (seen: View, { x, y }: { x: Float64Array; y: Float64Array }) => {
    const pen = board.current!.getContext('2d')!
    const ratio = Math.min(2, devicePixelRatio)
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    pen.font = '12px system-ui, sans-serif'
    pen.textAlign = 'center'
    pen.textBaseline = 'top'
    pen.lineWidth = 3
    pen.lineJoin = 'round'
    pen.strokeStyle = token.colorBgContainer
    pen.fillStyle = token.colorText
    const all = spacing * seen.scale > roomForNames
    dots.forEach(({ id, name }, n) => {
      if (!all && !(selected.has(id) && selected.size <= 12)) return
      const at = { x: x[n]! * seen.scale + seen.left, y: y[n]! * seen.scale + seen.top + 18 }
      if (at.x < 0 || at.y < 0 || at.x > seen.width || at.y > seen.height) return
      pen.strokeText(name, at.x, at.y)
      pen.fillText(name, at.x, at.y)
    })
  }
  const paint = useRef<ReturnType<typeof painterOn>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!board.current || !plan.current) return
    paint.current ??= painterOn(board.current)
    dots.forEach(({ id, state }, n) => {
      const now = store.get(deviceStateAtom(id))?.state ?? state
      lamps.marks[n] =
        (now === 'online' ? 0 : bits.stale) |
        (selected.has(id) ? bits.picked : 0) |
        (unsaved.has(id) ? bits.waiting : 0) |
        (failed.has(id) ? bits.faulty : 0)
    })
    const moving = drag.current
    const shown = moving
      ? {
          ...lamps,
          x: lamps.x.map((x, n) => (selected.has(dots[n]!.id) ? x + moving.x * width : x)),
          y: lamps.y.map((y, n) => (selected.has(dots[n]!.id) ? y + moving.y * height : y)),
        }
      : lamps
    const seen = viewOf(plan.current, spacing)
    paint.current(shown, seen, {
      ground: token.colorBgContainer,
      line: token.colorTextSecondary,
      border: token.colorBorderSecondary,
      error: token.colorError,
      primary: token.colorPrimary,
      text: token.colorText,
    })
    writeNames(seen, shown)
  })
  const asked = useRef(0)
  const drawSoon = useMemoizedFn(() => {
    cancelAnimationFrame(asked.current)
    asked.current = requestAnimationFrame(draw)
  })
  useEffect(() => () => cancelAnimationFrame(asked.current), [])
  useEffect(drawSoon, [drawSoon, token, lamps, selected, unsaved, failed])
  useEffect(() => store.sub(deviceMessageAtom, drawSoon), [drawSoon])
  const isOn = useMemoizedFn((event: MouseEvent | TouchEvent) => find(event) !== undefined)
  useEffect(
    () =>
      lay({
        onMove() {
          setPointed(undefined)
          drawSoon()
        },
        isOn,
      }),
    [lay, drawSoon, isOn],
  )

  const shareOf = (event: { clientX: number; clientY: number }) => {
    const { x, y } = pointOn(plan.current!, event as PointerEvent)
    return { x: x / width, y: y / height }
  }
  useImperativeHandle(ref, () => ({
    pointAt(client) {
      const { left, top, right, bottom } = plan.current!.getBoundingClientRect()
      const { clientX, clientY } = client
      const isOver = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
      const at = shareOf(client)
      return isOver && at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1 ? at : undefined
    },
    middle() {
      const { left, top, width: wide, height: high } = plan.current!.getBoundingClientRect()
      const { x, y } = shareOf({ clientX: left + wide / 2, clientY: top + high / 2 })
      return { x: Math.max(0, Math.min(1, x)), y: Math.max(0, Math.min(1, y)) }
    },
    show({ x, y }) {
      // A fully visible plan is zoomed in only if devices are dense.
      if (viewOf(plan.current!, spacing).size < 1) flyTo(x * width, y * height)
      else moveTo(x * width, y * height)
    },
    focus: () => plan.current?.focus(),
  }))

  const onDown = (event: PointerEvent<SVGSVGElement>) => {
    const dot = event.button === 0 ? find(event) : undefined
    press.current = { x: event.clientX, y: event.clientY, wasMoved: false, drags: false }
    if (dot === undefined) return lasso.handlers.onPointerDown(event)
    const { id } = dots[dot]!
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey
    if (isAdding || !selected.has(id)) props.onSelect([id], isAdding)
    if (isReadOnly || isAdding) return
    press.current.drags = true
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onMoved = (event: PointerEvent<SVGSVGElement>) => {
    const from = press.current
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > slack)
      from.wasMoved = true
    if (from?.drags && from.wasMoved) {
      const { scale } = viewOf(event.currentTarget, spacing)
      drag.current = {
        x: (event.clientX - from.x) / scale / width,
        y: (event.clientY - from.y) / scale / height,
      }
      return drawSoon()
    }
    lasso.handlers.onPointerMove(event)
    if (event.pointerType !== 'mouse') return
    const dot = event.buttons === 0 ? find(event) : undefined
    plan.current!.style.setProperty('cursor', dot === undefined ? '' : 'move')
    if (dot === pointed?.dot) return
    const { scale, left, top } = viewOf(event.currentTarget, spacing)
    setPointed(
      dot === undefined
        ? undefined
        : { dot, x: lamps.x[dot]! * scale + left, y: lamps.y[dot]! * scale + top },
    )
  }
  const onUp = () => {
    const by = drag.current
    if (press.current) press.current.drags = false
    drag.current = undefined
    if (by) props.onDrag(by)
    else lasso.handlers.onPointerUp()
  }
  const onCancel = () => {
    drag.current = undefined
    if (press.current) press.current.drags = false
    lasso.handlers.onPointerCancel()
    drawSoon()
  }

  const tip = pointed && dots[pointed.dot]
  return (
    <div className={styles.frame}>
      <svg
        ref={canvas}
        className={`${styles.canvas} ${props.isPicking || props.isAiming ? styles.aiming : ''}`}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        tabIndex={0}
        aria-label={`${floor.name}平面图，图上 ${dots.length} 台，已选 ${selected.size} 台`}
        aria-description="方向键移动选中的设备，按住 Shift 移得更远，Delete 移回未摆放"
        onPointerDown={onDown}
        onPointerMove={onMoved}
        onPointerUp={onUp}
        onPointerCancel={onCancel}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          if (press.current?.wasMoved || find(event) !== undefined) return
          const at = shareOf(event)
          if (at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1) props.onPress(at)
        }}
        onKeyDown={props.onKeyDown}
      >
        <g>
          {floor.plan ? (
            <image href={floor.plan} width={width} height={height} />
          ) : (
            <rect className={styles.paper} width={width} height={height} rx={8} />
          )}
          {lasso.line && <g className={styles.lasso}>{lasso.line}</g>}
        </g>
      </svg>
      <canvas ref={board} className={styles.dots} aria-hidden />
      {tip && (
        <div className={styles.tip} style={{ left: pointed.x, top: pointed.y }} aria-hidden>
          {[tip.name, failed.get(tip.id)].filter(Boolean).join('，')}
        </div>
      )}
      {props.children}
      <Space.Compact className={styles.zoom}>{zoomButtons({ zoomBy, reset })}</Space.Compact>
    </div>
  )
}
