import {
  useCallback,
  useRef,
  useState,
  type MouseEvent as ReactMouseEvent,
  type PointerEvent,
} from 'react'
import type { useLasso } from '../lasso'
import type { LampPositions } from '../many/viewport'
import type { PlacingPlanProps } from './placingPlan'
import { readPlacingView } from './planPoint'
import type { useDotPainting } from './useDotPainting'

/** Pixels that the pointer may move during a press. */
const maxMovePx = 4

export type PlanPointerEvent = MouseEvent | TouchEvent | PointerEvent | ReactMouseEvent

type PressesOptions = {
  lamps: LampPositions
  maxUnit: number
  findDot: (event: PlanPointerEvent) => number | undefined
  lasso: ReturnType<typeof useLasso>
  painting: Pick<
    ReturnType<typeof useDotPainting>,
    'scheduleDraw' | 'getDragOffset' | 'setDragOffset'
  >
}

/** Selects, drags and names the device under the pointer; a press beside devices is left to the lasso. */
export function useDotPresses(
  { dots, selected: selectedIds, isReadOnly, onSelect, onDrag }: PlacingPlanProps,
  { lamps, maxUnit, findDot, lasso, painting }: PressesOptions,
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
      const { scale } = readPlacingView(event.currentTarget, maxUnit)
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
    const { scale, left: viewLeft, top: viewTop } = readPlacingView(event.currentTarget, maxUnit)
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
