import { createHash } from 'node:crypto'

const window = 60_000
const entries = 20_000

/**
 * Messages are worked on once by (device, message id). Devices count ids anew after a restart, so the same id counts as
 * the same message only with the same content and within a minute; its first answer is given again.
 */
export function openDuplicates() {
  const seen = new Map<string, { digest: string; until: number; answer: Promise<string> }>()
  return {
    once(device: string, action: string, id: string, payload: Buffer, work: () => Promise<string>) {
      const key = `${device}|${action}|${id}`
      const digest = createHash('sha1').update(payload).digest('base64')
      const first = seen.get(key)
      if (first && first.digest === digest && first.until > Date.now()) return first.answer
      seen.delete(key)
      const answer = work()
      seen.set(key, { digest, until: Date.now() + window, answer })
      // A Map keeps the order of insertion: the oldest goes first.
      if (seen.size > entries) seen.delete(seen.keys().next().value!)
      return answer
    },
  }
}
