import { LRUCache } from 'lru-cache'

export const connectionsPerMinute = 15
const within = 60_000
const pause = 5 * 60_000

/**
 * A device that connects again and again costs everybody: after fifteen connections in a minute it is let in no more for
 * five. Only connections with the right signature count, so that nobody slows another's device.
 */
export function openFlapping(most = connectionsPerMinute, now = Date.now) {
  const devices = new LRUCache<string, { times: number[]; until: number }>({ max: 50_000 })
  /** `slowedUntil` only when it begins. */
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
