import { typeAhead, type Ahead } from './typeAhead'

let ahead: ReturnType<typeof typeAhead> | undefined
let waiting: AbortController | undefined

/** Tells whether a key event is the shortcut of the search (Ctrl or Command and K). */
export const isSearchKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey)

/** Remembers the search shortcut, and the text typed after it, until the shell is loaded. */
export function watchSearchKey() {
  waiting = new AbortController()
  const drop = () => {
    ahead?.end()
    ahead = undefined
  }
  const keep = (event: KeyboardEvent) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    ahead ??= typeAhead(drop)
  }
  addEventListener('keydown', keep, { signal: waiting.signal })
}

/** Returns what was typed so far and stops listening, so that the caller handles further keys. */
export function takeEarly(): Ahead | undefined {
  waiting?.abort()
  const typed = ahead?.end()
  ahead = undefined
  return typed
}
