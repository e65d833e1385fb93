import { useMemo, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { endsOf, goneTo } from './neighbours'

/** A focusable item in units of the drawing. */
export type Stop = { id: string; x: number; y: number }

/**
 * Gives a floor plan a single tab stop: arrows, Home and End move by position, PageDown and PageUp in reading order,
 * Tab leaves the plan.
 * @param moveTo brings a hidden item into view
 * @example <svg {...stops.handlers}><g data-stop={id} tabIndex={stops.current === id ? 0 : -1} />…</svg>
 */
export function useStops(stops: Stop[], moveTo: (x: number, y: number) => void) {
  const [last, setLast] = useState<string>()
  const places = useMemo(
    () => ({ x: stops.map(({ x }) => x), y: stops.map(({ y }) => y) }),
    [stops],
  )
  const known = stops.findIndex(({ id }) => id === last)
  const at = known < 0 ? endsOf(places)[0] : known
  return {
    current: stops[at]?.id,
    handlers: {
      onFocus({ target }: FocusEvent<SVGSVGElement>) {
        const id = target.closest<SVGElement>('[data-stop]')?.dataset.stop
        if (id) setLast(id)
      },
      onKeyDown(event: KeyboardEvent<SVGSVGElement>) {
        if (event.ctrlKey || event.metaKey || event.altKey || stops.length === 0) return
        const next = goneTo(places, at, event.key)
        if (next === undefined) return
        event.preventDefault()
        const { id, x, y } = stops[next]!
        const frame = event.currentTarget
        const element = frame.querySelector<SVGElement>(`[data-stop="${CSS.escape(id)}"]`)
        if (!element) return
        const [seen, all] = [element.getBoundingClientRect(), frame.getBoundingClientRect()]
        const isSeen =
          seen.left >= all.left &&
          seen.top >= all.top &&
          seen.right <= all.right &&
          seen.bottom <= all.bottom
        if (!isSeen) moveTo(x, y)
        element.focus({ preventScroll: !isSeen })
      },
    },
  }
}
