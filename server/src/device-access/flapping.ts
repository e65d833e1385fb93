import { LRUCache } from 'lru-cache'

export const connectionsPerMinute = 15
const within = 60_000
const pause = 5 * 60_000

/**
 * Throttles flapping devices: more than fifteen connections within a minute block a device for five minutes. Only
 * connections with a valid signature count, so that a stranger cannot block another's device.
 */
export function openFlapping(most = connectionsPerMinute, now = Date.now) {
  const devices = new LRUCache<string, { times: number[]; until: number }>({ max: 50_000 })
  /** `slowedUntil` is set only by the connection that starts the block. */
  return function mayConnect(key: string): { admitted: boolean; slowedUntil?: number } {
    const moment = now()
    const seen = devices.get(key) ?? { times: [], until: 0 }
    if (moment < seen.until) return { admitted: false }
    seen.times = [...seen.times.filter((time) => time > moment - within), moment]
    devices.set(key, seen)
    if (seen.times.length <= most) return { admitted: true }
    seen.until = moment + pause
    seen.times = []
    return { admitted: false, slowedUntil: seen.until }
  }
}
