/** Holds prefetched responses by request key. */
const prefetchedResponses = new Map<string, { answer: Promise<unknown>; until: number }>()
/** Lifetime of a prefetched response in ms; the code of a screen rarely takes longer to load. */
const prefetchLifetimeMs = 10_000

export const storePrefetched = (key: string, answer: Promise<unknown>) => {
  // The caller that takes the response handles a failure; this handler only prevents an unhandled rejection.
  answer.catch(() => {})
  prefetchedResponses.set(key, { answer, until: Date.now() + prefetchLifetimeMs })
}

/** Returns and removes the prefetched response of a call. */
export function takePrefetched(key: string) {
  const entry = prefetchedResponses.get(key)
  prefetchedResponses.delete(key)
  return entry && entry.until > Date.now() ? entry.answer : undefined
}

/** Drops all prefetched responses, because a write may have outdated them. */
export const clearPrefetched = () => prefetchedResponses.clear()

/** @deprecated Use {@link storePrefetched}; kept for remotes that were built before. */
export const keep = storePrefetched

/** @deprecated Use {@link takePrefetched}; kept for remotes that were built before. */
export const take = takePrefetched

/** @deprecated Use {@link clearPrefetched}; kept for remotes that were built before. */
export const dropAhead = clearPrefetched
