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
import { markBits, findLampAt, createPainter, minLampScale, type Viewport } from '../many/painter'
import { toDrawingPoint, useZoom } from '../useZoom'
import { renderZoomButtons } from '../zoomButtons'
import * as styles from './placingPlan.module.css'

type PlanPoint = { x: number; y: number }
export type PlacedDevice = { id: string; name: string; at: PlanPoint; state: DeviceState }
export type PlanHandle = {
  /** Returns a screen point in fractions of the plan; undefined outside of it. */
  pointAt: (client: { clientX: number; clientY: number }) => PlanPoint | undefined
  /** Returns the centre of the visible part. */
  middle: () => PlanPoint
  show: (point: PlanPoint) => void
  focus: () => void
}

type PlacingPlanProps = {
  ref: Ref<PlanHandle>
  floor: { name: string; plan: string | null; planWidth: number | null; planHeight: number | null }
  dots: PlacedDevice[]
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
  onDrag: (offset: PlanPoint) => void
  onPress: (point: PlanPoint) => void
  onKeyDown: (event: KeyboardEvent) => void
  children?: ReactNode
}

/** Pixels that the pointer may move during a press. */
const maxMovePx = 4
/** Share of the distance to the next device that the radius of a device may take. */
const maxRadiusShare = 0.45 / 16
/** Average distance in pixels from which the names of all devices are shown. */
const minNameSpacingPx = 110

type PlanPointerEvent = MouseEvent | TouchEvent | PointerEvent | ReactMouseEvent

function getView(svg: SVGSVGElement, spacing: number): Viewport {
  const { a: scale, e: left, f: top } = (svg.firstElementChild as SVGGElement).getCTM()!
  const size = Math.max(minLampScale, Math.min(1, spacing * maxRadiusShare * scale))
  return { scale, left, top, width: svg.clientWidth, height: svg.clientHeight, size }
}

/** Floor plan on which devices are placed; all of them are painted on one canvas. */
export default function PlacingPlan(props: PlacingPlanProps) {
  const {
    ref,
    floor,
    dots,
    selected: selectedIds,
    unsaved: unsavedIds,
    failed: failureById,
    isReadOnly,
  } = props
  const { token } = theme.useToken()
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const dotCanvas = useRef<HTMLCanvasElement>(null)
  const spacing = Math.sqrt((width * height) / Math.max(1, dots.length))
  const [hovered, setHovered] = useState<{ dot: number; x: number; y: number }>()
  const pressState = useRef<{ x: number; y: number; wasMoved: boolean; drags: boolean }>(undefined)
  const dragOffset = useRef<PlanPoint>(undefined)

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
  const findDot = (event: PlanPointerEvent) => {
    const svg = event.currentTarget as SVGSVGElement
    const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
    const { left: rectLeft, top: rectTop } = svg.getBoundingClientRect()
    return findLampAt(lamps, getView(svg, spacing), { x: clientX - rectLeft, y: clientY - rectTop })
  }
  const isDrawing = (event: PlanPointerEvent) =>
    (props.isPicking || event.shiftKey) && findDot(event) === undefined
  const {
    canvas,
    plan,
    lay: addOverlay,
    zoomBy,
    reset,
    moveTo,
    flyTo,
  } = useZoom(
    width,
    height,
    Math.max(spacing * maxRadiusShare, 0.01),
    (event) =>
      !('touches' in event && event.touches.length > 1) &&
      (isDrawing(event) || (!isReadOnly && findDot(event) !== undefined)),
  )
  const lasso = useLasso({ width, height }, isDrawing, (isInside) => {
    const dotsInside = dots.filter(({ at }) => isInside(at))
    if (dotsInside.length > 0)
      props.onSelect(
        dotsInside.map(({ id }) => id),
        true,
      )
  })

  const drawNames = (view: Viewport, { x, y }: { x: Float64Array; y: Float64Array }) => {
    const context = dotCanvas.current!.getContext('2d')!
    const ratio = Math.min(2, devicePixelRatio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.font = '12px system-ui, sans-serif'
    context.textAlign = 'center'
    context.textBaseline = 'top'
    context.lineWidth = 3
    context.lineJoin = 'round'
    context.strokeStyle = token.colorBgContainer
    context.fillStyle = token.colorText
    const showsAllNames = spacing * view.scale > minNameSpacingPx
    dots.forEach(({ id, name }, index) => {
      if (!showsAllNames && !(selectedIds.has(id) && selectedIds.size <= 12)) return
      const namePosition = {
        x: x[index]! * view.scale + view.left,
        y: y[index]! * view.scale + view.top + 18,
      }
      if (
        namePosition.x < 0 ||
        namePosition.y < 0 ||
        namePosition.x > view.width ||
        namePosition.y > view.height
      )
        return
      context.strokeText(name, namePosition.x, namePosition.y)
      context.fillText(name, namePosition.x, namePosition.y)
    })
  }
  const painter = useRef<ReturnType<typeof createPainter>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!dotCanvas.current || !plan.current) return
    painter.current ??= createPainter(dotCanvas.current)
    dots.forEach(({ id, state }, index) => {
      const currentState = store.get(deviceStateAtom(id))?.state ?? state
      lamps.marks[index] =
        (currentState === 'online' ? 0 : markBits.stale) |
        (selectedIds.has(id) ? markBits.picked : 0) |
        (unsavedIds.has(id) ? markBits.waiting : 0) |
        (failureById.has(id) ? markBits.faulty : 0)
    })
    const currentOffset = dragOffset.current
    const lampsToDraw = currentOffset
      ? {
          ...lamps,
          x: lamps.x.map((x, index) =>
            selectedIds.has(dots[index]!.id) ? x + currentOffset.x * width : x,
          ),
          y: lamps.y.map((y, index) =>
            selectedIds.has(dots[index]!.id) ? y + currentOffset.y * height : y,
          ),
        }
      : lamps
    const currentView = getView(plan.current, spacing)
    painter.current(lampsToDraw, currentView, {
      ground: token.colorBgContainer,
      line: token.colorTextSecondary,
      border: token.colorBorderSecondary,
      error: token.colorError,
      primary: token.colorPrimary,
      text: token.colorText,
    })
    drawNames(currentView, lampsToDraw)
  })
  const frameRequest = useRef(0)
  const scheduleDraw = useMemoizedFn(() => {
    cancelAnimationFrame(frameRequest.current)
    frameRequest.current = requestAnimationFrame(draw)
  })
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), [])
  useEffect(scheduleDraw, [scheduleDraw, token, lamps, selectedIds, unsavedIds, failureById])
  useEffect(() => store.sub(deviceMessageAtom, scheduleDraw), [scheduleDraw])
  const isOn = useMemoizedFn((event: MouseEvent | TouchEvent) => findDot(event) !== undefined)
  useEffect(
    () =>
      addOverlay({
        onMove() {
          setHovered(undefined)
          scheduleDraw()
        },
        isOn,
      }),
    [addOverlay, scheduleDraw, isOn],
  )

  const toPlanFraction = (event: { clientX: number; clientY: number }) => {
    const { x, y } = toDrawingPoint(plan.current!, event as PointerEvent)
    return { x: x / width, y: y / height }
  }
  useImperativeHandle(ref, () => ({
    pointAt(client) {
      const {
        left: rectLeft,
        top: rectTop,
        right: rectRight,
        bottom: rectBottom,
      } = plan.current!.getBoundingClientRect()
      const { clientX, clientY } = client
      const isOver =
        clientX >= rectLeft && clientX <= rectRight && clientY >= rectTop && clientY <= rectBottom
      const point = toPlanFraction(client)
      return isOver && point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1
        ? point
        : undefined
    },
    middle() {
      const {
        left: rectLeft,
        top: rectTop,
        width: rectWidth,
        height: rectHeight,
      } = plan.current!.getBoundingClientRect()
      const { x, y } = toPlanFraction({
        clientX: rectLeft + rectWidth / 2,
        clientY: rectTop + rectHeight / 2,
      })
      return { x: Math.max(0, Math.min(1, x)), y: Math.max(0, Math.min(1, y)) }
    },
    show({ x, y }) {
      // A fully visible plan is zoomed in only if devices are dense.
      if (getView(plan.current!, spacing).size < 1) flyTo(x * width, y * height)
      else moveTo(x * width, y * height)
    },
    focus: () => plan.current?.focus(),
  }))

  const handlePointerDown = (event: PointerEvent<SVGSVGElement>) => {
    const dot = event.button === 0 ? findDot(event) : undefined
    pressState.current = { x: event.clientX, y: event.clientY, wasMoved: false, drags: false }
    if (dot === undefined) return lasso.handlers.onPointerDown(event)
    const { id } = dots[dot]!
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey
    if (isAdding || !selectedIds.has(id)) props.onSelect([id], isAdding)
    if (isReadOnly || isAdding) return
    pressState.current.drags = true
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const handlePointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const pressPoint = pressState.current
    if (
      pressPoint &&
      Math.hypot(event.clientX - pressPoint.x, event.clientY - pressPoint.y) > maxMovePx
    )
      pressPoint.wasMoved = true
    if (pressPoint?.drags && pressPoint.wasMoved) {
      const { scale } = getView(event.currentTarget, spacing)
      dragOffset.current = {
        x: (event.clientX - pressPoint.x) / scale / width,
        y: (event.clientY - pressPoint.y) / scale / height,
      }
      return scheduleDraw()
    }
    lasso.handlers.onPointerMove(event)
    if (event.pointerType !== 'mouse') return
    const dot = event.buttons === 0 ? findDot(event) : undefined
    plan.current!.style.setProperty('cursor', dot === undefined ? '' : 'move')
    if (dot === hovered?.dot) return
    const { scale, left: viewLeft, top: viewTop } = getView(event.currentTarget, spacing)
    setHovered(
      dot === undefined
        ? undefined
        : { dot, x: lamps.x[dot]! * scale + viewLeft, y: lamps.y[dot]! * scale + viewTop },
    )
  }
  const handlePointerUp = () => {
    const offset = dragOffset.current
    if (pressState.current) pressState.current.drags = false
    dragOffset.current = undefined
    if (offset) props.onDrag(offset)
    else lasso.handlers.onPointerUp()
  }
  const handlePointerCancel = () => {
    dragOffset.current = undefined
    if (pressState.current) pressState.current.drags = false
    lasso.handlers.onPointerCancel()
    scheduleDraw()
  }

  const hoveredDot = hovered && dots[hovered.dot]
  return (
    <div className={styles.frame}>
      <svg
        ref={canvas}
        className={`${styles.canvas} ${props.isPicking || props.isAiming ? styles.aiming : ''}`}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        tabIndex={0}
        aria-label={`${floor.name}平面图，图上 ${dots.length} 台，已选 ${selectedIds.size} 台`}
        aria-description="方向键移动选中的设备，按住 Shift 移得更远，Delete 移回未摆放"
        onPointerDown={handlePointerDown}
        onPointerMove={handlePointerMove}
        onPointerUp={handlePointerUp}
        onPointerCancel={handlePointerCancel}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          if (pressState.current?.wasMoved || findDot(event) !== undefined) return
          const point = toPlanFraction(event)
          if (point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1) props.onPress(point)
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
      <canvas ref={dotCanvas} className={styles.dots} aria-hidden />
      {hoveredDot && (
        <div className={styles.tip} style={{ left: hovered.x, top: hovered.y }} aria-hidden>
          {[hoveredDot.name, failureById.get(hoveredDot.id)].filter(Boolean).join('，')}
        </div>
      )}
      {props.children}
      <Space.Compact className={styles.zoom}>{renderZoomButtons({ zoomBy, reset })}</Space.Compact>
    </div>
  )
}
