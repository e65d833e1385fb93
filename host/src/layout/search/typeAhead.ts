/** What was typed before there was a box for it. */
export type Ahead = { text: string; isEntered: boolean }

/**
 * Keeps what is typed from the wish to search on, for its code or its drawing takes a moment; `end` hands it over. An
 * input method writes nowhere else than into a box.
 * @param giveUp of Esc
 * @param ahead what was typed already
 */
export function typeAhead(giveUp: () => void, ahead: Ahead = { text: '', isEntered: false }) {
  const listening = new AbortController()
  const keep = (event: KeyboardEvent) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    // The one that says why the search did not come.
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
