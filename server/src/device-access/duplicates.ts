import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const window = 60_000
const entries = 20_000

/**
 * Messages are worked on once by (device, message id). Devices count ids anew after a restart, so the same id counts as
 * the same message only with the same content and within a minute; its first answer is given again.
 */
export function openDuplicates() {
  const seen = new LRUCache<string, { digest: string; answer: Promise<string> }>({
    max: entries,
    ttl: window,
  })
  return {
    once(device: string, action: string, id: string, payload: Buffer, work: () => Promise<string>) {
      const key = `${device}|${action}|${id}`
      const digest = createHash('sha1').update(payload).digest('base64')
      const first = seen.get(key)
      if (first?.digest === digest) return first.answer
      const answer = work()
      seen.set(key, { digest, answer })
      return answer
    },
  }
}
