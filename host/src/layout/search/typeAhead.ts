/** Holds text that was typed before the search box was ready. */
export type TypedInput = { text: string; isEntered: boolean }

/**
 * Records the keys typed between the search shortcut and the first render of the search box; `end` returns them. Input
 * methods are not covered, because they need a focused field.
 * @param onEscape runs at Escape
 * @param input text typed earlier
 */
export function startTypeAhead(
  onEscape: () => void,
  input: TypedInput = { text: '', isEntered: false },
) {
  const listenerAbort = new AbortController()
  const recordKey = (event: KeyboardEvent) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    // This dialog reports that the search failed to load, and its keys are its own.
    if (target instanceof Element && target.closest('dialog')) return
    if (key === 'Escape') onEscape()
    else if (key === 'Enter') input.isEntered = input.text !== ''
    else if (key === 'Backspace') input.text = input.text.slice(0, -1)
    else if (key.length === 1) Object.assign(input, { text: input.text + key, isEntered: false })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', recordKey, { capture: true, signal: listenerAbort.signal })
  return {
    end() {
      listenerAbort.abort()
      return input
    },
  }
}
