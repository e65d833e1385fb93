import { useRef, useState, type PointerEvent } from 'react'
import { toDrawingPoint } from './useZoom'

type Point = { x: number; y: number }

/** A lasso is a free line around the lamps, a rectangle spans from the first point to the last one. */
export type LassoShape = 'lasso' | 'rectangle'

/** Picks lamps by a line or a rectangle drawn around them. `size` is the size of the drawing. */
export function useLasso(
  size: { width: number; height: number },
  isDrawing: (event: PointerEvent) => boolean,
  onPick: (isInside: (point: Point) => boolean) => void,
  shape: LassoShape = 'lasso',
) {
  const [line, setLine] = useState<Point[]>()
  const drawnPoints = useRef<Point[]>(undefined)
  const finishLasso = () => {
    const points = drawnPoints.current
    drawnPoints.current = undefined
    setLine(undefined)
    if (points && points.length > 2)
      onPick(({ x, y }) => isWithin({ x: x * size.width, y: y * size.height }, points))
  }
  return {
    line: line && <path d={`M${line.map(({ x, y }) => `${x} ${y}`).join('L')}Z`} />,
    handlers: {
      onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
        const isFree = !(event.target as Element).closest('[role="button"]')
        if (event.button !== 0 || !isDrawing(event) || !isFree) return
        event.currentTarget.setPointerCapture(event.pointerId)
        drawnPoints.current = [toDrawingPoint(event.currentTarget, event)]
      },
      onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
        if (!drawnPoints.current) return
        const point = toDrawingPoint(event.currentTarget, event)
        if (shape === 'rectangle') {
          const [{ x, y }] = drawnPoints.current as [Point]
          drawnPoints.current = [{ x, y }, { x: point.x, y }, point, { x, y: point.y }]
        } else drawnPoints.current.push(point)
        setLine([...drawnPoints.current])
      },
      onPointerUp: finishLasso,
      onPointerCancel: finishLasso,
    },
  }
}

/** Ray casting: a point is inside if a ray to the right crosses an odd number of edges. */
export function isWithin({ x, y }: Point, line: Point[]) {
  let isInsideLine = false
  for (const [index, edgeStart] of line.entries()) {
    const edgeEnd = line[(index + 1) % line.length]!
    if (
      edgeStart.y > y !== edgeEnd.y > y &&
      x < ((edgeEnd.x - edgeStart.x) * (y - edgeStart.y)) / (edgeEnd.y - edgeStart.y) + edgeStart.x
    )
      isInsideLine = !isInsideLine
  }
  return isInsideLine
}
