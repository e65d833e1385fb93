import { LRUCache } from 'lru-cache'

export const maxConnectionsPerMinute = 15
const countingWindowMs = 60_000
const blockMs = 5 * 60_000

/**
 * Throttles flapping devices: more than fifteen connections within a minute block a device for five minutes. Only
 * connections with a valid signature count, so that a stranger cannot block another's device.
 */
export function createConnectionThrottle(maxConnections = maxConnectionsPerMinute, now = Date.now) {
  const devices = new LRUCache<string, { times: number[]; until: number }>({ max: 50_000 })
  /** `slowedUntil` is set only by the connection that starts the block. */
  return function admitConnection(key: string): { admitted: boolean; slowedUntil?: number } {
    const nowMs = now()
    const recentConnections = devices.get(key) ?? { times: [], until: 0 }
    if (nowMs < recentConnections.until) return { admitted: false }
    recentConnections.times = [
      ...recentConnections.times.filter((time) => time > nowMs - countingWindowMs),
      nowMs,
    ]
    devices.set(key, recentConnections)
    if (recentConnections.times.length <= maxConnections) return { admitted: true }
    recentConnections.until = nowMs + blockMs
    recentConnections.times = []
    return { admitted: false, slowedUntil: recentConnections.until }
  }
}
