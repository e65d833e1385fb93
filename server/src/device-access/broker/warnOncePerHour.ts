import { hourMs } from '@iot/shared/contract/duration'
import { LRUCache } from 'lru-cache'
import { log } from '../../core/logging/log'
import { deviceKey, type Identity } from '../protocol/alink'

const recentWarnings = new LRUCache<string, true>({ max: 2000, ttl: hourMs })
/** The same warning is logged at most once an hour, because firmware repeats its faults. */
export function warnOncePerHour(device: Identity, message: string) {
  const line = `设备 ${deviceKey(device)} 的${message}`
  if (recentWarnings.has(line)) return
  recentWarnings.set(line, true)
  log.warn({ module: 'broker', device: deviceKey(device) }, line)
}
