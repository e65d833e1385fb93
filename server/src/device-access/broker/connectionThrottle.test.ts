import { minuteMs } from '@iot/shared/contract/duration'
import { maxConnectionsPerMinute, createConnectionThrottle } from './connectionThrottle'

let now = 0
const connect = (
  times: number,
  mayConnect: ReturnType<typeof createConnectionThrottle>,
  key = 'a',
) => Array.from({ length: times }, () => mayConnect(key).admitted)

describe('a device that connects too often', () => {
  beforeEach(() => (now = 1_000_000))
  it('is throttled for five minutes after fifteen connections in one minute, and then counts from zero', () => {
    const mayConnect = createConnectionThrottle(undefined, () => now)
    expect(connect(maxConnectionsPerMinute, mayConnect)).not.toContain(false)
    expect(mayConnect('a')).toEqual({ admitted: false, slowedUntil: now + 5 * minuteMs })
    expect(mayConnect('b')).toEqual({ admitted: true })
    now += 5 * minuteMs - 1
    expect(mayConnect('a')).toEqual({ admitted: false })
    now += 1
    expect(connect(maxConnectionsPerMinute, mayConnect)).not.toContain(false)
    expect(mayConnect('a').admitted).toBe(false)
  })
  it('is not throttled when it reconnects slowly', () => {
    const mayConnect = createConnectionThrottle(undefined, () => now)
    for (let n = 0; n < 100; n++) {
      now += minuteMs / maxConnectionsPerMinute + 1
      expect(mayConnect('a').admitted).toBe(true)
    }
  })
})
