import { useRef, useState, type PointerEvent } from 'react'
import { pointOn } from './useZoom'

type Point = { x: number; y: number }

/** Picks lamps by a line drawn around them. `size` is the size of the drawing. */
export function useLasso(
  size: { width: number; height: number },
  isDrawing: (event: PointerEvent) => boolean,
  onPick: (isInside: (at: Point) => boolean) => void,
) {
  const [line, setLine] = useState<Point[]>()
  const drawn = useRef<Point[]>(undefined)
  const end = () => {
    const points = drawn.current
    drawn.current = undefined
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
        drawn.current = [pointOn(event.currentTarget, event)]
      },
      onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
        if (!drawn.current) return
        drawn.current.push(pointOn(event.currentTarget, event))
        setLine([...drawn.current])
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  }
}

/** Ray casting: a point is inside if a ray to the right crosses an odd number of edges. */
export function isWithin({ x, y }: Point, line: Point[]) {
  let inside = false
  for (const [at, a] of line.entries()) {
    const b = line[(at + 1) % line.length]!
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside
  }
  return inside
}
