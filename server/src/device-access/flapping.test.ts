import { connectionsPerMinute, openFlapping } from './flapping'

const minute = 60_000
let now = 0
const connect = (times: number, mayConnect: ReturnType<typeof openFlapping>, key = 'a') =>
  Array.from({ length: times }, () => mayConnect(key).admitted)

describe('a device that connects too often', () => {
  beforeEach(() => (now = 1_000_000))
  it('waits five minutes after fifteen connections in one, and begins anew', () => {
    const mayConnect = openFlapping(undefined, () => now)
    expect(connect(connectionsPerMinute, mayConnect)).not.toContain(false)
    expect(mayConnect('a')).toEqual({ admitted: false, slowedUntil: now + 5 * minute })
    expect(mayConnect('b')).toEqual({ admitted: true })
    now += 5 * minute - 1
    expect(mayConnect('a')).toEqual({ admitted: false })
    now += 1
    expect(connect(connectionsPerMinute, mayConnect)).not.toContain(false)
    expect(mayConnect('a').admitted).toBe(false)
  })
  it('is none when it takes its time', () => {
    const mayConnect = openFlapping(undefined, () => now)
    for (let n = 0; n < 100; n++) {
      now += minute / connectionsPerMinute + 1
      expect(mayConnect('a').admitted).toBe(true)
    }
  })
})
