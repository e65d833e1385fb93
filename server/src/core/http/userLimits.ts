import { LRUCache } from 'lru-cache'
import { Refusal } from '../refusal'

export type UserLimits = {
  /** A user may make this many calls per second on average; up to `burst` calls may come at once after a pause. */
  callsPerSecond: number
  burst: number
  /** A user may have this many pages with a live connection, on all devices together. */
  liveSockets: number
}
const defaultLimits: UserLimits = { callsPerSecond: 100, burst: 500, liveSockets: 30 }

/**
 * Limits each signed-in user across all sessions: a token bucket for calls and a count of live connections. A runaway
 * script slows down only its own user.
 */
export function createUserLimits(overrides: Partial<UserLimits> = {}, now = Date.now) {
  const { callsPerSecond, burst, liveSockets } = { ...defaultLimits, ...overrides }
  const buckets = new LRUCache<string, { tokens: number; time: number }>({ max: 10_000 })
  const sockets = new Map<string, number>()
  return {
    /** @throws Refusal with HTTP 429 if the user calls too often */
    takeCall(userId: string) {
      const time = now()
      const bucket = buckets.get(userId) ?? { tokens: burst, time }
      const refill = ((time - bucket.time) / 1000) * callsPerSecond
      const tokens = Math.min(burst, bucket.tokens + refill)
      buckets.set(userId, { tokens: Math.max(0, tokens - 1), time })
      if (tokens < 1) throw new Refusal(429, '您的操作过于频繁，请稍等几秒再试', null, 429)
    },
    /** Counts a live connection and returns false if the limit is reached; `closeSocket` gives one back. */
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
