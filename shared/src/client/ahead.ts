/** Calls that were sent before the screen that makes them was there. */
const sent = new Map<string, { answer: Promise<unknown>; until: number }>()
/** Nobody waits longer for the code of a screen and still wants this answer. */
const life = 10_000

export const keep = (key: string, answer: Promise<unknown>) => {
  // Who takes it over is told; it may be nobody.
  answer.catch(() => {})
  sent.set(key, { answer, until: Date.now() + life })
}

/** The answer to a call that is under way already, for one taker. */
export function take(key: string) {
  const found = sent.get(key)
  sent.delete(key)
  return found && found.until > Date.now() ? found.answer : undefined
}

/** What was answered before something changed says nothing any more. */
export const dropAhead = () => sent.clear()
