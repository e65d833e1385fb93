/** Holds text that was typed before the search box was ready. */
export type Ahead = { text: string; isEntered: boolean }

/**
 * Records the keys typed between the search shortcut and the first render of the search box; `end` returns them. Input
 * methods are not covered, because they need a focused field.
 * @param giveUp runs at Escape
 * @param ahead text typed earlier
 */
export function typeAhead(giveUp: () => void, ahead: Ahead = { text: '', isEntered: false }) {
  const listening = new AbortController()
  const keep = (event: KeyboardEvent) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    // This dialog reports that the search failed to load, and its keys are its own.
    if (target instanceof Element && target.closest('dialog')) return
    if (key === 'Escape') giveUp()
    else if (key === 'Enter') ahead.isEntered = ahead.text !== ''
    else if (key === 'Backspace') ahead.text = ahead.text.slice(0, -1)
    else if (key.length === 1) Object.assign(ahead, { text: ahead.text + key, isEntered: false })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', keep, { capture: true, signal: listening.signal })
  return {
    end() {
      listening.abort()
      return ahead
    },
  }
}
