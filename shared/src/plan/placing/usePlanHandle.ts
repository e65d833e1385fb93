import { useImperativeHandle, type Ref, type RefObject } from 'react'
import type { PlanSize } from '../planSize'
import { isOnDrawing, readPlacingView, toPlanFraction, type PlanPoint } from './planPoint'

export type PlanHandle = {
  /** Returns a screen point in fractions of the plan; undefined outside of it. */
  pointAt: (client: { clientX: number; clientY: number }) => PlanPoint | undefined
  /** Returns the centre of the visible part. */
  middle: () => PlanPoint
  show: (point: PlanPoint) => void
  focus: () => void
}

type HandleOptions = PlanSize & {
  maxUnit: number
  flyTo: (x: number, y: number) => void
  moveTo: (x: number, y: number) => void
}

export function usePlanHandle(
  ref: Ref<PlanHandle>,
  plan: RefObject<SVGSVGElement | null>,
  { maxUnit, flyTo, moveTo, ...size }: HandleOptions,
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
      if (readPlacingView(plan.current!, maxUnit).size < 1) flyTo(x * size.width, y * size.height)
      else moveTo(x * size.width, y * size.height)
    },
    focus: () => plan.current?.focus(),
  }))
}
