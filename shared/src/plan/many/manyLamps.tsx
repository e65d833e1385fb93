import { useMemoizedFn } from 'ahooks'
import { theme } from 'antd'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { MapDevice } from '../../contract/device'
import { getLightState } from '../../contract/light'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { findInFlightState, inFlightCommandsAtom } from '../../session/outgoing'
import { store } from '../../session/store'
import { formatLightLabel, type LiveDevice, type LightFilter } from '../lights'
import type { TypeLooks } from '../typeLooks'
import { useLiveDevice } from '../useBuilding'
import { findEnds, findItemForKey } from '../neighbours'
import type { PlanOverlay } from '../useZoom'
import {
  findCellAt,
  findLampAt,
  encodeMarks,
  createPainter,
  type LampPositions,
  type Viewport,
} from './painter'
import { usePaintedLooks } from './usePaintedLooks'
import * as styles from './manyLamps.module.css'

type ManyLampsProps = {
  plan: RefObject<SVGSVGElement | null>
  lay: (over: PlanOverlay) => () => void
  lights: MapDevice[]
  /** Width and height are those of the drawing, in its units. */
  width: number
  height: number
  /** Maximum unit size of a lamp, see `useZoom`. */
  largest: number
  picked: ReadonlyMap<string, string>
  highlighted?: string
  faults: ReadonlyMap<string, string>
  only?: LightFilter
  looks: TypeLooks
  isStopped: boolean
  isPicking: (event: { shiftKey: boolean }) => boolean
  onPress: (light: MapDevice, event: { shiftKey: boolean }) => void
  onOpen: (light: MapDevice) => void
  onPick: (lights: MapDevice[]) => void
  flyTo: (x: number, y: number) => void
  moveTo: (x: number, y: number) => void
}

type PressState = { x: number; y: number; timer?: number; wasHeld?: boolean; wasMoved?: boolean }

/** Duration of a long press in ms. */
const longPressMs = 500
/** Pixels that a finger may move during a press. */
const maxMovePx = 8
const getLiveDevice = (light: MapDevice): LiveDevice => ({
  ...light,
  ...store.get(deviceStateAtom(light.id)),
  outgoing: findInFlightState(store.get(inFlightCommandsAtom), light.id),
})
const formatLabel = (light: LiveDevice, fault?: string) =>
  [formatLightLabel(light), fault].filter(Boolean).join('，')

type LampFinder = {
  getView: () => Viewport
  /** Rooms and sensors are elements of the svg and handle their own events. */
  isOnPlan: (event: Event) => boolean
  findLamp: (event: MouseEvent | TouchEvent) => number | undefined
  findCell: (event: MouseEvent) => ReturnType<typeof findCellAt>
}

function useLampFinder(
  plan: RefObject<SVGSVGElement | null>,
  lamps: LampPositions,
  maxLampUnit: number,
): LampFinder {
  const getView = (): Viewport => {
    const svg = plan.current!
    const { a: scale, e: left, f: top } = (svg.firstElementChild as SVGGElement).getCTM()!
    const { clientWidth, clientHeight } = svg
    const size = Math.min(1, maxLampUnit * scale)
    return { scale, left, top, width: clientWidth, height: clientHeight, size }
  }
  const getPoint = (event: MouseEvent | TouchEvent) => {
    const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
    const { left: rectLeft, top: rectTop } = plan.current!.getBoundingClientRect()
    return { x: clientX - rectLeft, y: clientY - rectTop }
  }
  const isOnPlan = ({ target }: Event) =>
    !(target as Element).closest('[role="button"],[role="img"]')
  return {
    getView,
    isOnPlan,
    findLamp: (event) =>
      isOnPlan(event) ? findLampAt(lamps, getView(), getPoint(event)) : undefined,
    findCell: (event) => findCellAt(lamps, getView(), getPoint(event)),
  }
}

/**
 * Paints the lamps of a large floor on one canvas over the plan: React renders none of them, and a message repaints the
 * lamps it names. One button represents the lamp that the arrow keys have reached.
 */
export default function ManyLamps(props: ManyLampsProps) {
  const { plan, lights, width, height, largest: maxLampUnit, faults } = props
  const cursor = useRef<HTMLButtonElement>(null)
  const [currentId, setCurrentId] = useState<string>()
  const lamps = useMemo(
    () => ({
      x: Float64Array.from(lights, ({ x }) => x * width),
      y: Float64Array.from(lights, ({ y }) => y * height),
      marks: new Uint16Array(lights.length),
      drawing: { width, height },
    }),
    [lights, width, height],
  )
  const indexById = useMemo(() => new Map(lights.map(({ id }, index) => [id, index])), [lights])
  const [firstIndex] = useMemo(() => findEnds(lamps), [lamps])
  const currentIndex = indexById.get(currentId ?? '') ?? firstIndex
  const finder = useLampFinder(plan, lamps, maxLampUnit)
  const { canvas, scheduleDraw } = useLampPainting(props, {
    lamps,
    indexById,
    currentIndex,
    getView: finder.getView,
    cursor,
  })
  const hoveredLamp = useLampPointer(props, { lamps, finder, setCurrentId, scheduleDraw })

  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'i') return props.onOpen(getLiveDevice(lights[currentIndex]!))
    const nextIndex = findItemForKey(lamps, currentIndex, key)
    if (nextIndex === undefined) return
    event.preventDefault()
    setCurrentId(lights[nextIndex]!.id)
    const {
      scale,
      left: viewLeft,
      top: viewTop,
      width: viewWidth,
      height: viewHeight,
    } = finder.getView()
    const [x, y] = [lamps.x[nextIndex]! * scale + viewLeft, lamps.y[nextIndex]! * scale + viewTop]
    if (x < maxMovePx || y < maxMovePx || x > viewWidth - maxMovePx || y > viewHeight - maxMovePx)
      props.moveTo(lamps.x[nextIndex]!, lamps.y[nextIndex]!)
  }
  const light = lights[currentIndex]
  return (
    <div className={styles.clip}>
      <canvas
        ref={canvas}
        className={`${styles.lamps} ${props.isStopped ? styles.stopped : ''}`}
        aria-hidden
      />
      {light && (
        <KeyboardCursor
          ref={cursor}
          light={light}
          fault={faults.get(light.id)}
          onStep={handleKeyDown}
          onPress={props.onPress}
        />
      )}
      {hoveredLamp && lights[hoveredLamp.lamp] && (
        <LampTooltip
          light={lights[hoveredLamp.lamp]!}
          fault={faults.get(lights[hoveredLamp.lamp]!.id)}
          x={hoveredLamp.x}
          y={hoveredLamp.y}
        />
      )}
    </div>
  )
}

type PaintingOptions = {
  lamps: LampPositions
  indexById: ReadonlyMap<string, number>
  currentIndex: number
  getView: () => Viewport
  /** The button is moved to the lamp with the current index. */
  cursor: RefObject<HTMLButtonElement | null>
}

/** Paints the lamps and repaints them when their marks change. */
function useLampPainting(
  props: ManyLampsProps,
  { lamps, indexById, currentIndex, getView, cursor }: PaintingOptions,
) {
  const { plan, lights, largest: maxLampUnit } = props
  const { token } = theme.useToken()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { numberOf: lookNumbers, painted: paintedLooks } = usePaintedLooks(lights, props.looks)
  const painter = useRef<ReturnType<typeof createPainter>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!canvas.current || !plan.current) return
    painter.current ??= createPainter(canvas.current)
    const currentView = getView()
    painter.current(
      lamps,
      currentView,
      {
        ground: token.colorBgContainer,
        line: token.colorTextTertiary,
        border: token.colorBorderSecondary,
        error: token.colorError,
        primary: token.colorPrimary,
        text: token.colorText,
      },
      paintedLooks,
    )
    const [x, y] = [
      lamps.x[currentIndex]! * currentView.scale + currentView.left,
      lamps.y[currentIndex]! * currentView.scale + currentView.top,
    ]
    cursor.current?.style.setProperty('transform', `translate(${x}px, ${y}px)`)
  })
  const frameRequest = useRef(0)
  const scheduleDraw = useMemoizedFn(() => {
    cancelAnimationFrame(frameRequest.current)
    frameRequest.current = requestAnimationFrame(draw)
  })
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), [])
  useEffect(scheduleDraw, [scheduleDraw, token, currentIndex, maxLampUnit, paintedLooks])
  useLampMarks(props, lamps, indexById, lookNumbers, scheduleDraw)
  return { canvas, scheduleDraw }
}

/** Keeps the marks of the lamps current: a message about devices updates the lamps it names. */
function useLampMarks(
  {
    lights,
    picked: pickedLights,
    highlighted: highlightedId,
    faults,
    only: lightFilter,
  }: ManyLampsProps,
  lamps: LampPositions,
  indexById: ReadonlyMap<string, number>,
  lookNumbers: ReadonlyMap<string, number>,
  scheduleDraw: () => void,
) {
  useEffect(() => {
    const updateMarks = (index: number) => {
      const light = lights[index]!
      const marks = encodeMarks(getLiveDevice(light), {
        isPicked: pickedLights.has(light.id),
        isHighlighted: light.id === highlightedId,
        isFaulty: faults.has(light.id),
        only: lightFilter,
        look: lookNumbers.get(light.productType),
      })
      lamps.marks[index] = marks
    }
    const updateAllMarks = () => indexById.forEach(updateMarks)
    updateAllMarks()
    scheduleDraw()
    const unsubscribeCommands = store.sub(
      inFlightCommandsAtom,
      () => (updateAllMarks(), scheduleDraw()),
    )
    const unsubscribe = store.sub(deviceMessageAtom, () => {
      const updatedStates = store.get(deviceMessageAtom)
      if (updatedStates.length === 0) updateAllMarks()
      for (const { id } of updatedStates) {
        const index = indexById.get(id)
        if (index !== undefined) updateMarks(index)
      }
      scheduleDraw()
    })
    return () => (unsubscribeCommands(), unsubscribe())
  }, [
    lights,
    indexById,
    lamps,
    pickedLights,
    highlightedId,
    faults,
    lightFilter,
    lookNumbers,
    scheduleDraw,
  ])
}

type PointerOptions = {
  lamps: LampPositions
  finder: LampFinder
  setCurrentId: (id: string) => void
  scheduleDraw: () => void
}

/** Handles the pointer on the painted lamps and returns the lamp under it. */
function useLampPointer(
  props: ManyLampsProps,
  { lamps, finder, setCurrentId, scheduleDraw }: PointerOptions,
) {
  const { plan, lay: addOverlay, lights } = props
  const { getView, isOnPlan, findLamp, findCell } = finder
  const [hoveredLamp, setHoveredLamp] = useState<{ lamp: number; x: number; y: number }>()
  const pressState = useRef<PressState>(undefined)
  const cancelLongPress = useMemoizedFn(() => clearTimeout(pressState.current?.timer))
  const isClick = () =>
    pressState.current && !pressState.current.wasMoved && !pressState.current.wasHeld
  const handlePointerDown = useMemoizedFn((event: PointerEvent) => {
    cancelLongPress()
    pressState.current = { x: event.clientX, y: event.clientY }
    const lamp = event.button === 0 && !props.isPicking(event) ? findLamp(event) : undefined
    if (lamp === undefined) return
    pressState.current.timer = window.setTimeout(() => {
      pressState.current!.wasHeld = true
      props.onOpen(getLiveDevice(lights[lamp]!))
    }, longPressMs)
  })
  const handlePointerMove = useMemoizedFn((event: PointerEvent) => {
    const pressPoint = pressState.current
    if (
      pressPoint &&
      Math.hypot(event.clientX - pressPoint.x, event.clientY - pressPoint.y) > maxMovePx
    ) {
      // A lasso ends where it began, which must not count as a click.
      pressPoint.wasMoved = true
      cancelLongPress()
    }
    if (event.pointerType !== 'mouse') return
    const lamp = event.buttons === 0 ? findLamp(event) : undefined
    plan.current!.style.setProperty('cursor', lamp === undefined ? '' : 'pointer')
    if (lamp === hoveredLamp?.lamp) return
    const { scale, left: viewLeft, top: viewTop } = getView()
    setHoveredLamp(
      lamp === undefined
        ? undefined
        : { lamp, x: lamps.x[lamp]! * scale + viewLeft, y: lamps.y[lamp]! * scale + viewTop },
    )
  })
  const handlePointerLeave = useMemoizedFn(() => {
    cancelLongPress()
    setHoveredLamp(undefined)
  })
  const handleClick = useMemoizedFn((event: MouseEvent) => {
    if (!isOnPlan(event) || !isClick()) return
    const lamp = findLamp(event)
    if (lamp !== undefined) {
      setCurrentId(lights[lamp]!.id)
      return props.onPress(getLiveDevice(lights[lamp]!), event)
    }
    const cell = findCell(event)
    if (!cell) return
    if (props.isPicking(event)) return props.onPick(cell.lamps.map((index) => lights[index]!))
    props.flyTo(cell.x, cell.y)
  })
  const handleContextMenu = useMemoizedFn((event: MouseEvent) => {
    const lamp = findLamp(event)
    if (lamp === undefined) return
    event.preventDefault()
    cancelLongPress()
    if (!pressState.current?.wasHeld) props.onOpen(getLiveDevice(lights[lamp]!))
  })
  const isOn = useMemoizedFn((event: MouseEvent | TouchEvent) => findLamp(event) !== undefined)
  const onMove = useMemoizedFn(() => {
    if (hoveredLamp) setHoveredLamp(undefined)
    scheduleDraw()
  })
  useEffect(() => {
    const svg = plan.current!
    const abortController = new AbortController()
    const { signal } = abortController
    svg.addEventListener('pointerdown', handlePointerDown, { signal })
    svg.addEventListener('pointermove', handlePointerMove, { signal })
    svg.addEventListener('pointerup', cancelLongPress, { signal })
    svg.addEventListener('pointercancel', cancelLongPress, { signal })
    svg.addEventListener('pointerleave', handlePointerLeave, { signal })
    svg.addEventListener('click', handleClick, { signal })
    svg.addEventListener('contextmenu', handleContextMenu, { signal })
    const removeOverlay = addOverlay({ onMove, isOn })
    return () => {
      abortController.abort()
      removeOverlay()
      svg.style.cursor = ''
    }
  }, [
    plan,
    addOverlay,
    handlePointerDown,
    handlePointerMove,
    cancelLongPress,
    handlePointerLeave,
    handleClick,
    handleContextMenu,
    isOn,
    onMove,
  ])
  return hoveredLamp
}

type KeyboardCursorProps = {
  ref: RefObject<HTMLButtonElement | null>
  light: MapDevice
  fault?: string
  onStep: (event: KeyboardEvent) => void
  onPress: ManyLampsProps['onPress']
}

/** Button for the lamp at the keyboard cursor; a screen reader announces each change of lamp or state. */
function KeyboardCursor({ ref, light: initialLight, fault, onStep, onPress }: KeyboardCursorProps) {
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
function LampTooltip({ light, fault, x, y }: LampTooltipProps) {
  return (
    <div className={styles.tip} style={{ left: x, top: y }} aria-hidden>
      {formatLabel(useLiveDevice(light), fault)}
    </div>
  )
}
