import { type PointerEvent, useEffect, useRef, useState } from 'react'

type View = { x: number; y: number; scale: number }
const whole: View = { x: 0, y: 0, scale: 1 }
const closest = 0.15
/** Pixels a pointer may move and still be a click. */
const slack = 5

/** Wheel and buttons zoom, dragging moves; the plan never leaves the frame. A drag is not also a click. */
export function usePanZoom(width: number, height: number) {
  const svg = useRef<SVGSVGElement>(null)
  const [view, setView] = useState<View>(whole)
  const drag = useRef<{ x: number; y: number; from: View; moved: boolean } | null>(null)

  const within = ({ x, y, scale }: View): View => {
    const fit = Math.min(1, Math.max(closest, scale))
    return {
      scale: fit,
      x: Math.min(width * (1 - fit), Math.max(0, x)),
      y: Math.min(height * (1 - fit), Math.max(0, y)),
    }
  }
  /** `at` from 0 to 1 stays where it is. */
  const zoom = (factor: number, at = { x: 0.5, y: 0.5 }) =>
    setView(({ x, y, scale }) => {
      const next = Math.min(1, Math.max(closest, scale * factor))
      return within({
        scale: next,
        x: x + (scale - next) * width * at.x,
        y: y + (scale - next) * height * at.y,
      })
    })

  const latest = useRef(zoom)
  useEffect(() => {
    latest.current = zoom
  })
  // React listens to wheels passively, so the page would scroll along.
  useEffect(() => {
    const canvas = svg.current!
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && event.deltaMode === 0 && Math.abs(event.deltaY) < 2)
        return
      event.preventDefault()
      const box = canvas.getBoundingClientRect()
      latest.current(event.deltaY > 0 ? 1.15 : 0.87, {
        x: (event.clientX - box.left) / box.width,
        y: (event.clientY - box.top) / box.height,
      })
    }
    canvas.addEventListener('wheel', onWheel, { passive: false })
    return () => canvas.removeEventListener('wheel', onWheel)
  }, [])

  return {
    svg,
    viewBox: `${view.x} ${view.y} ${width * view.scale} ${height * view.scale}`,
    zoom,
    reset: () => setView(whole),
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button === 0)
          drag.current = { x: event.clientX, y: event.clientY, from: view, moved: false }
      },
      onPointerMove: ({ clientX, clientY, pointerId, currentTarget }: PointerEvent) => {
        const start = drag.current
        if (!start) return
        const box = currentTarget.getBoundingClientRect()
        const [dx, dy] = [clientX - start.x, clientY - start.y]
        if (!start.moved && Math.hypot(dx, dy) < slack) return
        if (!start.moved) currentTarget.setPointerCapture(pointerId)
        start.moved = true
        setView(
          within({
            ...start.from,
            x: start.from.x - (dx / box.width) * width * start.from.scale,
            y: start.from.y - (dy / box.height) * height * start.from.scale,
          }),
        )
      },
      onPointerUp: () => void setTimeout(() => (drag.current = null)),
      onClickCapture: (event: React.MouseEvent) => {
        if (drag.current?.moved) event.stopPropagation()
      },
    },
  }
}
