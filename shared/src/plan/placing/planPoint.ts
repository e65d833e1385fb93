import type { PointerEvent } from 'react'
import type { DeviceState } from '../../contract/device/device.schema'
import { readViewport } from '../many/canvas'
import { minLampScale, type Viewport } from '../many/viewport'
import type { PlanSize } from '../planSize'
import { toDrawingPoint } from '../useZoom'

/** A point in fractions of the plan. */
export type PlanPoint = { x: number; y: number }
export type PlacedDevice = { id: string; name: string; at: PlanPoint; state: DeviceState }

/** Devices shrink on a dense plan, but stay large enough to press. */
export function readPlacingView(svg: SVGSVGElement, maxUnit: number): Viewport {
  const view = readViewport(svg, maxUnit)
  return { ...view, size: Math.max(minLampScale, view.size) }
}

export function toPlanFraction(
  svg: SVGSVGElement,
  event: { clientX: number; clientY: number },
  { width, height }: PlanSize,
): PlanPoint {
  const { x, y } = toDrawingPoint(svg, event as PointerEvent)
  return { x: x / width, y: y / height }
}

export const isOnDrawing = ({ x, y }: PlanPoint) => x >= 0 && x <= 1 && y >= 0 && y <= 1
