import { useMemoizedFn } from 'ahooks'
import { select } from 'd3-selection'
import { zoom, zoomIdentity, zoomTransform } from 'd3-zoom'
import { useCallback, useRef, useState } from 'react'

const closest = 1 / 0.15
/** How near one is brought to a lamp that is looked for; nearer where it would not have its full size yet. */
const near = 2.5
/** Pixels a mouse may move and still click. */
const slack = 5
/** What a wheel with Ctrl, or two fingers on a pad, may change at once: mice send hundreds, pads single pixels. */
const wheelStep = 0.35

/** What lies on the plan and is not of the svg: told whenever the plan moved, asked whether something is pressed there. */
export type Over = { onMove: () => void; isOn: (event: MouseEvent | TouchEvent) => boolean }

/**
 * Ctrl and wheel, pinch, double click and buttons zoom, dragging moves; the plain wheel scrolls the page. The plan never
 * leaves the frame, and a drag is not also a click. The svg's one child moves, and React draws nothing anew for it.
 * `--unit` is a pixel of the screen in units of the drawing: what is scaled by it keeps its size.
 * @param largest what `--unit` is at most, so that what stands close does not cover its neighbours
 * @param isDrawing whether a drag draws instead of moving
 * @example <svg ref={canvas} viewBox={`0 0 ${width} ${height}`}><g>…</g></svg>
 */
export function useZoom(
  width: number,
  height: number,
  largest: number,
  isDrawing: (event: MouseEvent | TouchEvent) => boolean,
) {
  const controls = useRef<{
    zoomBy: (factor: number) => void
    reset: () => void
    flyTo: (x: number, y: number) => void
    moveTo: (x: number, y: number) => void
  }>(null)
  const plan = useRef<SVGSVGElement>(null)
  const over = useRef<Over>(null)
  /** About `--unit`; what is laid out anew for it need not follow each step. */
  const [unit, setUnit] = useState(1)
  const drawing = useMemoizedFn(isDrawing)

  const canvas = useCallback(
    (svg: SVGSVGElement) => {
      plan.current = svg
      /** Where what stands close has its full size. */
      let full = 1
      const measure = () => {
        const { clientWidth, clientHeight } = svg
        const whole = Math.min(clientWidth / width, clientHeight / height)
        if (!(whole > 0)) return
        const now = Math.min(1 / (whole * zoomTransform(svg).k), largest)
        svg.style.setProperty('--unit', String(now))
        full = Math.max(1, 1 / (whole * largest))
        behaviour.scaleExtent([1, Math.max(closest, full)])
        over.current?.onMove()
        setUnit(2 ** (Math.round(Math.log2(now) * 4) / 4))
      }
      const behaviour = zoom<SVGSVGElement, unknown>()
        .scaleExtent([1, closest])
        .translateExtent([
          [0, 0],
          [width, height],
        ])
        .clickDistance(slack)
        .duration(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250)
        .wheelDelta(({ deltaY }: WheelEvent) =>
          Math.max(-wheelStep, Math.min(wheelStep, -deltaY * 0.02)),
        )
        .filter(function (this: SVGSVGElement, event: MouseEvent | WheelEvent | TouchEvent) {
          const isDrag = event.type === 'mousedown' || event.type === 'touchstart'
          // Two quick presses of a lamp are two presses.
          if (isDouble(event) && over.current?.isOn(event as MouseEvent)) return false
          return !(isDrag && drawing(event)) && startsGesture.call(this, event)
        })
        .on('zoom', ({ transform }) => {
          svg.firstElementChild!.setAttribute('transform', transform)
          svg.style.touchAction = touchActionAt(transform.k)
          measure()
        })
      const selection = select(svg).call(behaviour)
      svg.style.touchAction = touchActionAt(zoomTransform(svg).k)
      const frame = new ResizeObserver(measure)
      frame.observe(svg)
      controls.current = {
        zoomBy: (factor) => behaviour.scaleBy(selection, factor),
        reset: () => behaviour.transform(selection, zoomIdentity),
        flyTo(x, y) {
          const scale = Math.max(near, full)
          behaviour.transform(
            selection,
            zoomIdentity
              .translate(width / 2, height / 2)
              .scale(scale)
              .translate(
                -Math.max(width / 2 / scale, Math.min(width - width / 2 / scale, x)),
                -Math.max(height / 2 / scale, Math.min(height - height / 2 / scale, y)),
              ),
          )
        },
        moveTo: (x, y) => behaviour.translateTo(selection, x, y),
      }
      return () => {
        frame.disconnect()
        selection.on('.zoom', null)
      }
    },
    [width, height, largest, drawing],
  )
  return {
    canvas,
    plan,
    /** Answers a function that takes it off again. */
    lay: useCallback((one: Over) => {
      over.current = one
      return () => void (over.current = null)
    }, []),
    unit,
    zoomBy: (factor: number) => controls.current?.zoomBy(factor),
    reset: () => controls.current?.reset(),
    flyTo: useCallback((x: number, y: number) => controls.current?.flyTo(x, y), []),
    moveTo: useCallback((x: number, y: number) => controls.current?.moveTo(x, y), []),
  }
}

/** Where on the drawing something on the screen is. */
export function pointOn(svg: SVGSVGElement, { clientX, clientY }: MouseEvent | React.PointerEvent) {
  const { a, d, e, f } = (svg.firstElementChild as SVGGElement).getScreenCTM()!
  return { x: (clientX - e) / a, y: (clientY - f) / d }
}

/** One finger scrolls the page over a whole plan and moves a near one; two fingers always belong to the plan. */
const touchActionAt = (scale: number) => (scale > 1 ? 'none' : 'pan-y')

const isDouble = ({ type }: Event) => type === 'dblclick' || type === 'touchend'

function startsGesture(this: SVGSVGElement, event: MouseEvent | WheelEvent | TouchEvent) {
  if (event.type === 'wheel') return (event as WheelEvent).ctrlKey || (event as WheelEvent).metaKey
  if (isDouble(event)) return !(event.target as Element).closest('[role="button"]')
  if ('touches' in event) return event.touches.length > 1 || zoomTransform(this).k > 1
  return event.button === 0 && !event.ctrlKey
}
