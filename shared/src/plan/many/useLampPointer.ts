import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useEffect, useRef } from 'react'
import { getLiveDevice } from './liveLamp'
import type { ManyLampsProps } from './manyLamps'
import type { LampPositions } from './viewport'
import type { LampFinder } from './useLampFinder'

type PressState = { x: number; y: number; timer?: number; wasHeld?: boolean; wasMoved?: boolean }

/** Duration of a long press in ms. */
const longPressMs = 500
/** Pixels that a finger may move during a press. */
const maxMovePx = 8
/** Half the width of a lamp on the screen, for the distance of its card. */
const lampRadiusPx = 10

type PointerOptions = {
  lamps: LampPositions
  finder: LampFinder
  setCurrentId: (id: string) => void
  scheduleDraw: () => void
}

/** Handles the pointer on the painted lamps. */
export function useLampPointer(
  props: ManyLampsProps,
  { lamps, finder, setCurrentId, scheduleDraw }: PointerOptions,
) {
  const { plan, lay: addOverlay, lights } = props
  const { getView, isOnPlan, findLamp, findCell } = finder
  const hoveredLamp = useRef<number>(undefined)
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
    if (lamp === hoveredLamp.current) return
    hoveredLamp.current = lamp
    if (lamp === undefined) return props.onPoint()
    const { scale, left: viewLeft, top: viewTop } = getView()
    const { left, top } = plan.current!.getBoundingClientRect()
    const [x, y] = [lamps.x[lamp]! * scale + viewLeft, lamps.y[lamp]! * scale + viewTop]
    const width = 2 * lampRadiusPx
    const rect = new DOMRect(left + x - lampRadiusPx, top + y - lampRadiusPx, width, width)
    props.onPoint(lights[lamp], rect)
  })
  const leaveLamp = () => {
    if (hoveredLamp.current === undefined) return
    hoveredLamp.current = undefined
    props.onPoint()
  }
  const handlePointerLeave = useMemoizedFn(() => {
    cancelLongPress()
    leaveLamp()
  })
  const handleClick = useMemoizedFn((event: MouseEvent) => {
    if (!isOnPlan(event) || !isClick()) return
    const lamp = findLamp(event)
    if (lamp !== undefined) {
      setCurrentId(lights[lamp]!.id)
      props.onPoint()
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
    leaveLamp()
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
}
