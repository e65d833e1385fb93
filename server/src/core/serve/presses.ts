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
  const kept = new Map<string, { timer: NodeJS.Timeout; answer: Promise<unknown> }>()
  function drop(name: string) {
    clearTimeout(kept.get(name)?.timer)
    kept.delete(name)
  }
  return async function once<T>({ userId, key, url, input }: Press, work: () => Promise<T>) {
    if (key === undefined || key.length > 100) return work()
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size > most) drop(oldest)
    const name = createHash('sha256')
      .update(JSON.stringify([userId, key, url, input]))
      .digest('hex')
    const before = kept.get(name)
    if (before) return before.answer as Promise<T>
    const answer = work()
    kept.set(name, { timer: setTimeout(() => drop(name), lasting).unref(), answer })
    answer.catch(() => drop(name))
    return answer
  }
}
