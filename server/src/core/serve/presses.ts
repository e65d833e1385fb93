import { createHash } from 'node:crypto'

/** As long as somebody may still press again because no answer came. */
const lasting = 10 * 60_000
const most = 500

type Press = { userId: string; key: string | undefined; url: string; input: unknown }

/**
 * What was saved is not saved a second time because its answer was lost: the same press, under one `Idempotency-Key`, is
 * answered as it was the first time. Kept in memory, for answers may hold secrets; a failure is not kept.
 */
export function openPresses() {
  const kept = new Map<string, { until: number; answer: Promise<unknown> }>()
  return async function once<T>({ userId, key, url, input }: Press, work: () => Promise<T>) {
    if (key === undefined || key.length > 100) return work()
    const now = Date.now()
    for (const [name, { until }] of kept)
      if (until < now || kept.size > most) kept.delete(name)
      else break
    const name = createHash('sha256')
      .update(JSON.stringify([userId, key, url, input]))
      .digest('hex')
    const before = kept.get(name)
    if (before) return before.answer as Promise<T>
    const answer = work()
    kept.set(name, { until: now + lasting, answer })
    answer.catch(() => kept.delete(name))
    return answer
  }
}
