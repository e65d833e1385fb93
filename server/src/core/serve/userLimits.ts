import { LRUCache } from 'lru-cache'
import { Refusal } from '../refusal'

export type UserLimits = {
  /** Long-term rate; up to `burst` calls may come at once after a pause. */
  callsPerSecond: number
  burst: number
  /** Pages with a live connection, on all devices together. */
  liveSockets: number
}
const usual: UserLimits = { callsPerSecond: 100, burst: 500, liveSockets: 30 }

/**
 * Limits what one signed-in user takes of the platform, whatever the number of their sessions: a token bucket for calls
 * and a count of live connections. A script that runs wild slows itself and nobody else.
 */
export function createUserLimits(given: Partial<UserLimits> = {}, now = Date.now) {
  const { callsPerSecond, burst, liveSockets } = { ...usual, ...given }
  const buckets = new LRUCache<string, { tokens: number; time: number }>({ max: 10_000 })
  const sockets = new Map<string, number>()
  return {
    /** @throws Refusal 429 when the user calls too often */
    takeCall(userId: string) {
      const time = now()
      const bucket = buckets.get(userId) ?? { tokens: burst, time }
      const refill = ((time - bucket.time) / 1000) * callsPerSecond
      const tokens = Math.min(burst, bucket.tokens + refill)
      buckets.set(userId, { tokens: Math.max(0, tokens - 1), time })
      if (tokens < 1) throw new Refusal(429, '您的操作过于频繁，请稍等几秒再试', null, 429)
    },
    /** Answers false for one too many; `closeSocket` gives one back. */
    openSocket(userId: string) {
      const count = sockets.get(userId) ?? 0
      if (count >= liveSockets) return false
      sockets.set(userId, count + 1)
      return true
    },
    closeSocket(userId: string) {
      const remaining = (sockets.get(userId) ?? 1) - 1
      if (remaining > 0) sockets.set(userId, remaining)
      else sockets.delete(userId)
    },
  }
}
