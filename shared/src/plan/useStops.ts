import { useMemo, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { findEnds, findItemForKey } from './neighbours'

/** A focusable item in units of the drawing. */
export type TabStop = { id: string; x: number; y: number }

/**
 * Gives a floor plan a single tab stop: arrows, Home and End move by position, PageDown and PageUp in reading order,
 * Tab leaves the plan.
 * @param moveTo brings a hidden item into view
 * @example <svg {...stops.handlers}><g data-stop={id} tabIndex={stops.current === id ? 0 : -1} />…</svg>
 */
export function useTabStops(tabStops: TabStop[], moveTo: (x: number, y: number) => void) {
  const [lastFocusedId, setLastFocusedId] = useState<string>()
  const positions = useMemo(
    () => ({ x: tabStops.map(({ x }) => x), y: tabStops.map(({ y }) => y) }),
    [tabStops],
  )
  const lastFocusedIndex = tabStops.findIndex(({ id }) => id === lastFocusedId)
  const currentIndex = lastFocusedIndex < 0 ? findEnds(positions)[0] : lastFocusedIndex
  return {
    current: tabStops[currentIndex]?.id,
    handlers: {
      onFocus({ target }: FocusEvent<SVGSVGElement>) {
        const id = target.closest<SVGElement>('[data-stop]')?.dataset.stop
        if (id) setLastFocusedId(id)
      },
      onKeyDown(event: KeyboardEvent<SVGSVGElement>) {
        if (event.ctrlKey || event.metaKey || event.altKey || tabStops.length === 0) return
        const nextIndex = findItemForKey(positions, currentIndex, event.key)
        if (nextIndex === undefined) return
        event.preventDefault()
        const { id, x, y } = tabStops[nextIndex]!
        const frame = event.currentTarget
        const element = frame.querySelector<SVGElement>(`[data-stop="${CSS.escape(id)}"]`)
        if (!element) return
        const [elementRect, frameRect] = [
          element.getBoundingClientRect(),
          frame.getBoundingClientRect(),
        ]
        const isInView =
          elementRect.left >= frameRect.left &&
          elementRect.top >= frameRect.top &&
          elementRect.right <= frameRect.right &&
          elementRect.bottom <= frameRect.bottom
        if (!isInView) moveTo(x, y)
        element.focus({ preventScroll: !isInView })
      },
    },
  }
}

/** @deprecated Use {@link TabStop}; kept for remotes that were built before. */
export type Stop = TabStop

/** @deprecated Use {@link useTabStops}; kept for remotes that were built before. */
export const useStops = useTabStops
