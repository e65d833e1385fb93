/** Holds prefetched responses by request key. */
const sent = new Map<string, { answer: Promise<unknown>; until: number }>()
/** Lifetime of a prefetched response in ms; the code of a screen rarely takes longer to load. */
const life = 10_000

export const keep = (key: string, answer: Promise<unknown>) => {
  // The later caller handles the failure; without one it is ignored.
  answer.catch(() => {})
  sent.set(key, { answer, until: Date.now() + life })
}

/** Returns and removes the prefetched response of a call. */
export function take(key: string) {
  const found = sent.get(key)
  sent.delete(key)
  return found && found.until > Date.now() ? found.answer : undefined
}

/** Drops all prefetched responses, because a write may have outdated them. */
export const dropAhead = () => sent.clear()
