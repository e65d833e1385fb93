import { useMemoizedFn } from 'ahooks'
import { Space, theme } from 'antd'
import {
  useCallback,
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
  type RefObject,
} from 'react'
import type { DeviceState } from '../../contract/device'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { store } from '../../session/store'
import { useLasso } from '../lasso'
import {
  markBits,
  findLampAt,
  createPainter,
  minLampScale,
  type LampPositions,
  type Viewport,
} from '../many/painter'
import { toDrawingPoint, useZoom } from '../useZoom'
import { renderZoomButtons } from '../zoomButtons'
import * as styles from './placingPlan.module.css'

type PlanPoint = { x: number; y: number }
type PlanSize = { width: number; height: number }
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

function toPlanFraction(
  svg: SVGSVGElement,
  event: { clientX: number; clientY: number },
  { width, height }: PlanSize,
): PlanPoint {
  const { x, y } = toDrawingPoint(svg, event as PointerEvent)
  return { x: x / width, y: y / height }
}

const isOnDrawing = ({ x, y }: PlanPoint) => x >= 0 && x <= 1 && y >= 0 && y <= 1

/** Floor plan on which devices are placed; all of them are painted on one canvas. */
export default function PlacingPlan(props: PlacingPlanProps) {
  const { ref, floor, dots, selected: selectedIds, failed: failureById, isReadOnly } = props
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const spacing = Math.sqrt((width * height) / Math.max(1, dots.length))
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
  const painting = useDotPainting(props, lamps, plan, spacing)
  const { dotCanvas, scheduleDraw } = painting
  const presses = useDotPresses(props, { lamps, spacing, findDot, lasso, painting })
  const { hovered, hideHovered } = presses
  const isOn = useMemoizedFn((event: MouseEvent | TouchEvent) => findDot(event) !== undefined)
  useEffect(
    () =>
      addOverlay({
        onMove() {
          hideHovered()
          scheduleDraw()
        },
        isOn,
      }),
    [addOverlay, hideHovered, scheduleDraw, isOn],
  )
  usePlanHandle(ref, plan, { width, height, spacing, flyTo, moveTo })

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
        {...presses.handlers}
        onClick={(event) => {
          if (presses.wasMoved() || findDot(event) !== undefined) return
          const point = toPlanFraction(event.currentTarget, event, { width, height })
          if (isOnDrawing(point)) props.onPress(point)
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

/** Paints the devices and their names; `setDragOffset` shows the selected devices at another place. */
function useDotPainting(
  props: PlacingPlanProps,
  lamps: LampPositions,
  plan: RefObject<SVGSVGElement | null>,
  spacing: number,
) {
  const { dots, selected: selectedIds, unsaved: unsavedIds, failed: failureById } = props
  const { token } = theme.useToken()
  const dotCanvas = useRef<HTMLCanvasElement>(null)
  const dragOffset = useRef<PlanPoint>(undefined)
  const painter = useRef<ReturnType<typeof createPainter>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!dotCanvas.current || !plan.current) return
    painter.current ??= createPainter(dotCanvas.current)
    updateMarks(lamps, props)
    const lampsToDraw = dragOffset.current ? moveSelected(lamps, props, dragOffset.current) : lamps
    const currentView = getView(plan.current, spacing)
    painter.current(lampsToDraw, currentView, {
      ground: token.colorBgContainer,
      line: token.colorTextSecondary,
      border: token.colorBorderSecondary,
      error: token.colorError,
      primary: token.colorPrimary,
      text: token.colorText,
    })
    const showsAllNames = spacing * currentView.scale > minNameSpacingPx
    drawNames(
      dotCanvas.current,
      dots,
      ({ id }) => showsAllNames || (selectedIds.has(id) && selectedIds.size <= 12),
      lampsToDraw,
      currentView,
      { ground: token.colorBgContainer, text: token.colorText },
    )
  })
  const frameRequest = useRef(0)
  const scheduleDraw = useMemoizedFn(() => {
    cancelAnimationFrame(frameRequest.current)
    frameRequest.current = requestAnimationFrame(draw)
  })
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), [])
  useEffect(scheduleDraw, [scheduleDraw, token, lamps, selectedIds, unsavedIds, failureById])
  useEffect(() => store.sub(deviceMessageAtom, scheduleDraw), [scheduleDraw])
  return {
    dotCanvas,
    scheduleDraw,
    getDragOffset: () => dragOffset.current,
    setDragOffset(offset?: PlanPoint) {
      dragOffset.current = offset
    },
  }
}

type MarkedDots = Pick<PlacingPlanProps, 'dots' | 'selected' | 'unsaved' | 'failed'>

function updateMarks({ marks }: LampPositions, { dots, selected, unsaved, failed }: MarkedDots) {
  dots.forEach(({ id, state }, index) => {
    const currentState = store.get(deviceStateAtom(id))?.state ?? state
    marks[index] =
      (currentState === 'online' ? 0 : markBits.stale) |
      (selected.has(id) ? markBits.picked : 0) |
      (unsaved.has(id) ? markBits.waiting : 0) |
      (failed.has(id) ? markBits.faulty : 0)
  })
}

/** Returns the positions with those of the selected devices moved by an offset in fractions of the plan. */
function moveSelected(
  lamps: LampPositions,
  { dots, selected }: MarkedDots,
  offset: PlanPoint,
): LampPositions {
  const { width, height } = lamps.drawing
  return {
    ...lamps,
    x: lamps.x.map((x, index) => (selected.has(dots[index]!.id) ? x + offset.x * width : x)),
    y: lamps.y.map((y, index) => (selected.has(dots[index]!.id) ? y + offset.y * height : y)),
  }
}

/** Writes names below their devices, unless the place is hidden. */
function drawNames(
  canvas: HTMLCanvasElement,
  dots: PlacedDevice[],
  hasVisibleName: (dot: PlacedDevice) => boolean,
  { x, y }: LampPositions,
  view: Viewport,
  colours: { ground: string; text: string },
) {
  const context = canvas.getContext('2d')!
  const ratio = Math.min(2, devicePixelRatio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.font = '12px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'top'
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = colours.ground
  context.fillStyle = colours.text
  dots.forEach((dot, index) => {
    if (!hasVisibleName(dot)) return
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
    context.strokeText(dot.name, namePosition.x, namePosition.y)
    context.fillText(dot.name, namePosition.x, namePosition.y)
  })
}

type PressesOptions = {
  lamps: LampPositions
  spacing: number
  findDot: (event: PlanPointerEvent) => number | undefined
  lasso: ReturnType<typeof useLasso>
  painting: Pick<
    ReturnType<typeof useDotPainting>,
    'scheduleDraw' | 'getDragOffset' | 'setDragOffset'
  >
}

/** Selects, drags and names the device under the pointer; a press beside devices is left to the lasso. */
function useDotPresses(
  { dots, selected: selectedIds, isReadOnly, onSelect, onDrag }: PlacingPlanProps,
  { lamps, spacing, findDot, lasso, painting }: PressesOptions,
) {
  const { scheduleDraw, getDragOffset, setDragOffset } = painting
  const { width, height } = lamps.drawing
  const [hovered, setHovered] = useState<{ dot: number; x: number; y: number }>()
  const pressState = useRef<{ x: number; y: number; wasMoved: boolean; drags: boolean }>(undefined)

  const handlePointerDown = (event: PointerEvent<SVGSVGElement>) => {
    const dot = event.button === 0 ? findDot(event) : undefined
    pressState.current = { x: event.clientX, y: event.clientY, wasMoved: false, drags: false }
    if (dot === undefined) return lasso.handlers.onPointerDown(event)
    const { id } = dots[dot]!
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey
    if (isAdding || !selectedIds.has(id)) onSelect([id], isAdding)
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
      setDragOffset({
        x: (event.clientX - pressPoint.x) / scale / width,
        y: (event.clientY - pressPoint.y) / scale / height,
      })
      return scheduleDraw()
    }
    lasso.handlers.onPointerMove(event)
    if (event.pointerType !== 'mouse') return
    const dot = event.buttons === 0 ? findDot(event) : undefined
    event.currentTarget.style.setProperty('cursor', dot === undefined ? '' : 'move')
    if (dot === hovered?.dot) return
    const { scale, left: viewLeft, top: viewTop } = getView(event.currentTarget, spacing)
    setHovered(
      dot === undefined
        ? undefined
        : { dot, x: lamps.x[dot]! * scale + viewLeft, y: lamps.y[dot]! * scale + viewTop },
    )
  }
  const handlePointerUp = () => {
    const offset = getDragOffset()
    if (pressState.current) pressState.current.drags = false
    setDragOffset(undefined)
    if (offset) onDrag(offset)
    else lasso.handlers.onPointerUp()
  }
  const handlePointerCancel = () => {
    setDragOffset(undefined)
    if (pressState.current) pressState.current.drags = false
    lasso.handlers.onPointerCancel()
    scheduleDraw()
  }
  const hideHovered = useCallback(() => setHovered(undefined), [])
  return {
    hovered,
    hideHovered,
    wasMoved: () => !!pressState.current?.wasMoved,
    handlers: {
      onPointerDown: handlePointerDown,
      onPointerMove: handlePointerMove,
      onPointerUp: handlePointerUp,
      onPointerCancel: handlePointerCancel,
      onPointerLeave: hideHovered,
    },
  }
}

type HandleOptions = PlanSize & {
  spacing: number
  flyTo: (x: number, y: number) => void
  moveTo: (x: number, y: number) => void
}

function usePlanHandle(
  ref: Ref<PlanHandle>,
  plan: RefObject<SVGSVGElement | null>,
  { spacing, flyTo, moveTo, ...size }: HandleOptions,
) {
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
      const point = toPlanFraction(plan.current!, client, size)
      return isOver && isOnDrawing(point) ? point : undefined
    },
    middle() {
      const {
        left: rectLeft,
        top: rectTop,
        width: rectWidth,
        height: rectHeight,
      } = plan.current!.getBoundingClientRect()
      const centre = { clientX: rectLeft + rectWidth / 2, clientY: rectTop + rectHeight / 2 }
      const { x, y } = toPlanFraction(plan.current!, centre, size)
      return { x: Math.max(0, Math.min(1, x)), y: Math.max(0, Math.min(1, y)) }
    },
    show({ x, y }) {
      // A fully visible plan is zoomed in only if devices are dense.
      if (getView(plan.current!, spacing).size < 1) flyTo(x * size.width, y * size.height)
      else moveTo(x * size.width, y * size.height)
    },
    focus: () => plan.current?.focus(),
  }))
}
