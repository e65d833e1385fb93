/** Positions of lamps in units of the drawing. */
export type LampPositions = {
  x: Float64Array
  y: Float64Array
  marks: Uint32Array
  drawing: { width: number; height: number }
}
/**
 * A point of the drawing appears on the screen at `x * scale + left`; `size` is the scale of a lamp, 1 at full size.
 */
export type Viewport = {
  scale: number
  left: number
  top: number
  width: number
  height: number
  size: number
}

/** Lamps below this scale are grouped into cells. */
export const minLampScale = 0.3

export const usesCells = ({ size }: Viewport) => size < minLampScale

/** A press this far from a lamp still means it. */
const hitRadiusPx = 16

/** Returns the lamp nearest to a point on the screen. */
export function findLampAt(
  { x, y, marks }: LampPositions,
  view: Viewport,
  point: { x: number; y: number },
) {
  if (usesCells(view)) return undefined
  let nearestLamp: number | undefined
  let nearestDistance = hitRadiusPx
  for (let index = 0; index < marks.length; index++) {
    const distance = Math.hypot(
      x[index]! * view.scale + view.left - point.x,
      y[index]! * view.scale + view.top - point.y,
    )
    if (distance > nearestDistance) continue
    nearestDistance = distance
    nearestLamp = index
  }
  return nearestLamp
}
