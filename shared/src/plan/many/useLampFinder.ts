import type { RefObject } from 'react'
import { readViewport, toCanvasPoint } from './canvas'
import { findCellAt } from './lampCells'
import { findLampAt, type LampPositions, type Viewport } from './viewport'

export type LampFinder = {
  getView: () => Viewport
  /** Rooms and sensors are elements of the svg and handle their own events. */
  isOnPlan: (event: Event) => boolean
  findLamp: (event: MouseEvent | TouchEvent) => number | undefined
  findCell: (event: MouseEvent) => ReturnType<typeof findCellAt>
}

export function useLampFinder(
  plan: RefObject<SVGSVGElement | null>,
  lamps: LampPositions,
  maxLampUnit: number,
): LampFinder {
  const getView = () => readViewport(plan.current!, maxLampUnit)
  const getPoint = (event: MouseEvent | TouchEvent) => toCanvasPoint(plan.current!, event)
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
