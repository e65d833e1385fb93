import { dayMs } from '../contract/duration'
import { learnServerTime, serverNow } from './serverClock'

const getOffsetMs = () => serverNow() - Date.now()

it('narrows the clock offset with fast answers, ignores slow ones, and follows a changed clock', () => {
  const now = Date.now()
  // The request was sent ten seconds ago and answered now by a server three days behind.
  learnServerTime(now - 3 * dayMs - 5000, now - 10_000, now)
  expect(Math.abs(getOffsetMs() + 3 * dayMs)).toBeLessThan(5001)
  learnServerTime(now - 3 * dayMs, now - 10, now + 10)
  expect(Math.abs(getOffsetMs() + 3 * dayMs)).toBeLessThan(11)
  learnServerTime(now - 3 * dayMs, now - 20_000, now + 20_000)
  expect(Math.abs(getOffsetMs() + 3 * dayMs)).toBeLessThan(60)
  learnServerTime(now + dayMs, now - 10, now + 10)
  expect(Math.abs(getOffsetMs() - dayMs)).toBeLessThan(11)
})
