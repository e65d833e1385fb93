import { learnServerTime, serverNow } from './serverClock'

const day = 24 * 3600_000
const offset = () => serverNow() - Date.now()

it('narrows the offset by quick answers, keeps it through slow ones, and follows a clock that was set', () => {
  const now = Date.now()
  // The request was sent ten seconds ago and answered now by a server three days behind.
  learnServerTime(now - 3 * day - 5000, now - 10_000, now)
  expect(Math.abs(offset() + 3 * day)).toBeLessThan(5001)
  learnServerTime(now - 3 * day, now - 10, now + 10)
  expect(Math.abs(offset() + 3 * day)).toBeLessThan(11)
  learnServerTime(now - 3 * day, now - 20_000, now + 20_000)
  expect(Math.abs(offset() + 3 * day)).toBeLessThan(60)
  learnServerTime(now + day, now - 10, now + 10)
  expect(Math.abs(offset() - day)).toBeLessThan(11)
})
