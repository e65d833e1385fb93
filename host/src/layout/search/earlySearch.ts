import { startTypeAhead, type TypedInput } from './typeAhead'

let recorder: ReturnType<typeof startTypeAhead> | undefined
let listenerAbort: AbortController | undefined

/** Tells whether a key event is the shortcut of the search (Ctrl or Command and K). */
export const isSearchKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey)

/** Remembers the search shortcut, and the text typed after it, until the shell is loaded. */
export function watchSearchKey() {
  listenerAbort = new AbortController()
  const dropInput = () => {
    recorder?.end()
    recorder = undefined
  }
  const recordShortcut = (event: KeyboardEvent) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    recorder ??= startTypeAhead(dropInput)
  }
  addEventListener('keydown', recordShortcut, { signal: listenerAbort.signal })
}

/** Returns what was typed so far and stops listening, so that the caller handles further keys. */
export function takeEarlyInput(): TypedInput | undefined {
  listenerAbort?.abort()
  const input = recorder?.end()
  recorder = undefined
  return input
}
