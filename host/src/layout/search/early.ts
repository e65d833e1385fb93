import { typeAhead, type Ahead } from './typeAhead'

let ahead: ReturnType<typeof typeAhead> | undefined
let waiting: AbortController | undefined

/** Whether a key asks for the search. */
export const isSearchKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey)

/** Keeps the wish to search, and what is typed after it, until the shell is there. */
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

/** What was wished and typed until now; from now on keys belong to who asks. */
export function takeEarly(): Ahead | undefined {
  waiting?.abort()
  const typed = ahead?.end()
  ahead = undefined
  return typed
}
