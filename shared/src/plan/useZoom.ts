import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { select } from 'd3-selection'
import { zoom, zoomIdentity, zoomTransform } from 'd3-zoom'
import { useCallback, useRef, useState } from 'react'

const maxZoom = 1 / 0.15
/** Zoom factor for showing a searched lamp; it is larger if the lamp would not have its full size. */
const searchZoom = 2.5
/** Pixels that a mouse may move during a click. */
const clickDistancePx = 5
/** Limit for the change by one wheel event: mice send hundreds, touchpads single pixels. */
const maxWheelStep = 0.35

/**
 * An overlay outside the svg: `onMove` is called when the plan moves, `isOn` tells if an event hits an item of the
 * overlay.
 */
export type PlanOverlay = { onMove: () => void; isOn: (event: MouseEvent | TouchEvent) => boolean }

/**
 * Makes a plan zoomable: Ctrl with wheel, pinch, double click and buttons zoom, dragging moves; the plain wheel scrolls
 * the page. The plan never leaves its frame, and a drag is no click. The svg's only child is transformed without
 * rendering by React. `--unit` is the size of a screen pixel in units of the drawing, so that elements scaled by it
 * keep their size.
 * @param maxUnit maximum of `--unit`, so that dense items do not cover each other
 * @param isDrawing returns true if a drag draws instead of moving
 * @example <svg ref={canvas} viewBox={`0 0 ${width} ${height}`}><g>…</g></svg>
 */
export function useZoom(
  width: number,
  height: number,
  maxUnit: number,
  isDrawing: (event: MouseEvent | TouchEvent) => boolean,
) {
  const controls = useRef<{
    zoomBy: (factor: number) => void
    reset: () => void
    flyTo: (x: number, y: number) => void
    moveTo: (x: number, y: number) => void
  }>(null)
  const plan = useRef<SVGSVGElement>(null)
  const overlay = useRef<PlanOverlay>(null)
  /** Approximate `--unit`, for layouts that need not follow each zoom step. */
  const [unit, setUnit] = useState(1)
  const isDrawingNow = useMemoizedFn(isDrawing)

  const canvas = useCallback(
    (svg: SVGSVGElement) => {
      plan.current = svg
      /** Zoom factor at which dense items have their full size. */
      let fullSizeZoom = 1
      const measure = () => {
        const { clientWidth, clientHeight } = svg
        const fitScale = Math.min(clientWidth / width, clientHeight / height)
        if (!(fitScale > 0)) return
        const currentUnit = Math.min(1 / (fitScale * zoomTransform(svg).k), maxUnit)
        svg.style.setProperty('--unit', String(currentUnit))
        fullSizeZoom = Math.max(1, 1 / (fitScale * maxUnit))
        behaviour.scaleExtent([1, Math.max(maxZoom, fullSizeZoom)])
        overlay.current?.onMove()
        setUnit(2 ** (Math.round(Math.log2(currentUnit) * 4) / 4))
      }
      const behaviour = zoom<SVGSVGElement, unknown>()
        .scaleExtent([1, maxZoom])
        .translateExtent([
          [0, 0],
          [width, height],
        ])
        .clickDistance(clickDistancePx)
        .duration(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250)
        .wheelDelta(({ deltaY }: WheelEvent) =>
          Math.max(-maxWheelStep, Math.min(maxWheelStep, -deltaY * 0.02)),
        )
        .filter(function (this: SVGSVGElement, event: MouseEvent | WheelEvent | TouchEvent) {
          const isDrag = event.type === 'mousedown' || event.type === 'touchstart'
          // Two quick presses on a lamp are two presses and no zoom.
          if (isDoubleClick(event) && overlay.current?.isOn(event as MouseEvent)) return false
          return !(isDrag && isDrawingNow(event)) && startsGesture.call(this, event)
        })
        .on('zoom', ({ transform }) => {
          svg.firstElementChild!.setAttribute('transform', transform)
          svg.style.touchAction = getTouchAction(transform.k)
          measure()
        })
      const selection = select(svg).call(behaviour)
      svg.style.touchAction = getTouchAction(zoomTransform(svg).k)
      const resizeObserver = new ResizeObserver(measure)
      resizeObserver.observe(svg)
      controls.current = {
        zoomBy: (factor) => behaviour.scaleBy(selection, factor),
        reset: () => behaviour.transform(selection, zoomIdentity),
        flyTo(x, y) {
          const scale = Math.max(searchZoom, fullSizeZoom)
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
        resizeObserver.disconnect()
        selection.on('.zoom', null)
      }
    },
    [width, height, maxUnit, isDrawingNow],
  )
  return {
    canvas,
    plan,
    /** Registers the overlay and returns a function that removes it. */
    lay: useCallback((newOverlay: PlanOverlay) => {
      overlay.current = newOverlay
      return () => void (overlay.current = null)
    }, []),
    unit,
    zoomBy: (factor: number) => controls.current?.zoomBy(factor),
    reset: () => controls.current?.reset(),
    flyTo: useCallback((x: number, y: number) => controls.current?.flyTo(x, y), []),
    moveTo: useCallback((x: number, y: number) => controls.current?.moveTo(x, y), []),
  }
}

/** Returns the point of the drawing under the pointer. */
export function toDrawingPoint(
  svg: SVGSVGElement,
  { clientX, clientY }: MouseEvent | React.PointerEvent,
) {
  const {
    a: scaleX,
    d: scaleY,
    e: offsetX,
    f: offsetY,
  } = (svg.firstElementChild as SVGGElement).getScreenCTM()!
  return { x: (clientX - offsetX) / scaleX, y: (clientY - offsetY) / scaleY }
}

/** One finger scrolls the page at full view and moves a zoomed plan; two fingers always control the plan. */
const getTouchAction = (scale: number) => (scale > 1 ? 'none' : 'pan-y')

const isDoubleClick = ({ type }: Event) => type === 'dblclick' || type === 'touchend'

function startsGesture(this: SVGSVGElement, event: MouseEvent | WheelEvent | TouchEvent) {
  if (event.type === 'wheel') return (event as WheelEvent).ctrlKey || (event as WheelEvent).metaKey
  if (isDoubleClick(event)) return !(event.target as Element).closest('[role="button"]')
  if ('touches' in event) return event.touches.length > 1 || zoomTransform(this).k > 1
  return event.button === 0 && !event.ctrlKey
}

/** @deprecated Use {@link PlanOverlay}; kept for remotes that were built before. */
export type Over = PlanOverlay

/** @deprecated Use {@link toDrawingPoint}; kept for remotes that were built before. */
export const pointOn = toDrawingPoint
