import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const window = 60_000
const entries = 20_000

/**
 * Removes duplicates by connection, message id and content: a repeated message within a minute gets the first reply
 * again. A restarted device has a new connection and may reuse its ids. Failed messages are not remembered.
 */
export function openDuplicates() {
  const seen = new LRUCache<string, { digest: string; answer: Promise<string> }>({
    max: entries,
    ttl: window,
  })
  return {
    /** @param connection undefined if the connection is unknown; no message counts as a duplicate then */
    once(
      connection: string | undefined,
      action: string,
      id: string,
      payload: Buffer,
      work: () => Promise<string>,
    ) {
      if (connection === undefined) return work()
      const key = `${connection}|${action}|${id}`
      const digest = createHash('sha1').update(payload).digest('base64')
      const first = seen.get(key)
      if (first?.digest === digest) return first.answer
      const answer = work()
      seen.set(key, { digest, answer })
      answer.catch(() => seen.delete(key))
      return answer
    },
  }
}
