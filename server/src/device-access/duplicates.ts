import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const window = 60_000
const entries = 20_000

/**
 * Messages are worked on once by (connection, message id): the same id counts as the same message with the same content
 * within a minute of one connection, and its first answer is given again. A device that starts anew counts its ids anew.
 * What failed was not worked on.
 */
export function openDuplicates() {
  const seen = new LRUCache<string, { digest: string; answer: Promise<string> }>({
    max: entries,
    ttl: window,
  })
  return {
    /** @param connection undefined where nobody said which it is: then nothing is taken for the same */
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
