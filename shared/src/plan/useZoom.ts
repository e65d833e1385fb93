import { select } from 'd3-selection'
import { zoom, zoomIdentity, zoomTransform } from 'd3-zoom'
import { useCallback, useRef } from 'react'

const closest = 1 / 0.15
/** Pixels a mouse may move and still click. */
const slack = 5

/**
 * Wheel, pinch, double click and buttons zoom, dragging moves; the plan never leaves the frame. A drag is not also a
 * click. The svg's one child moves, and React draws nothing anew for it.
 * @example <svg ref={canvas} viewBox={`0 0 ${width} ${height}`}><g>…</g></svg>
 */
export function useZoom(width: number, height: number) {
  const controls = useRef<{ zoomBy: (factor: number) => void; reset: () => void }>(null)
  const canvas = useCallback(
    (svg: SVGSVGElement) => {
      const behaviour = zoom<SVGSVGElement, unknown>()
        .scaleExtent([1, closest])
        .translateExtent([
          [0, 0],
          [width, height],
        ])
        .clickDistance(slack)
        .duration(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250)
        .filter(startsGesture)
        .on('zoom', ({ transform }) => {
          svg.firstElementChild!.setAttribute('transform', transform)
          svg.style.touchAction = touchActionAt(transform.k)
        })
      const selection = select(svg).call(behaviour)
      svg.style.touchAction = touchActionAt(zoomTransform(svg).k)
      controls.current = {
        zoomBy: (factor) => behaviour.scaleBy(selection, factor),
        reset: () => behaviour.transform(selection, zoomIdentity),
      }
      return () => void selection.on('.zoom', null)
    },
    [width, height],
  )
  return {
    canvas,
    zoomBy: (factor: number) => controls.current?.zoomBy(factor),
    reset: () => controls.current?.reset(),
  }
}

/** One finger scrolls the page over a whole plan and moves a near one; two fingers always belong to the plan. */
const touchActionAt = (scale: number) => (scale > 1 ? 'none' : 'pan-y')

function startsGesture(this: SVGSVGElement, event: MouseEvent | WheelEvent | TouchEvent) {
  const isDouble = event.type === 'dblclick' || event.type === 'touchend'
  // Two quick presses of a lamp are two presses.
  if (isDouble) return !(event.target as Element).closest('[role="button"]')
  if ('touches' in event) return event.touches.length > 1 || zoomTransform(this).k > 1
  return event.button === 0 && (!event.ctrlKey || event.type === 'wheel')
}
