import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useEffect, useMemo, useRef } from 'react'
import type { PlanSize } from '../planSize'
import type { LampPositions, Viewport } from './viewport'

type ScreenPoint = { clientX: number; clientY: number }

/** Returns the visible part of a plan, on which a device is at most `maxUnit` units of the drawing large. */
export function readViewport(svg: SVGSVGElement, maxUnit: number): Viewport {
  const { a: scale, e: left, f: top } = (svg.firstElementChild as SVGGElement).getCTM()!
  const size = Math.min(1, maxUnit * scale)
  return { scale, left, top, width: svg.clientWidth, height: svg.clientHeight, size }
}

/** Converts the position of a mouse or finger to pixels from the corner of the plan. */
export function toCanvasPoint(svg: SVGSVGElement, event: ScreenPoint | TouchEvent) {
  const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
  const { left, top } = svg.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

/** Returns the positions of devices on the drawing; `getPosition` gives them in fractions of it. */
export const usePositions = <T>(
  devices: T[],
  getPosition: (device: T) => { x: number; y: number },
  { width, height }: PlanSize,
): LampPositions =>
  useMemo(
    () => ({
      x: Float64Array.from(devices, (device) => getPosition(device).x * width),
      y: Float64Array.from(devices, (device) => getPosition(device).y * height),
      marks: new Uint32Array(devices.length),
      drawing: { width, height },
    }),
    [devices, getPosition, width, height],
  )

/** Returns a stable function that draws once in the next frame, however often it is called before. */
export function useScheduledDraw(draw: () => void) {
  const frameRequest = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), [])
  return useMemoizedFn(() => {
    cancelAnimationFrame(frameRequest.current)
    frameRequest.current = requestAnimationFrame(draw)
  })
}
