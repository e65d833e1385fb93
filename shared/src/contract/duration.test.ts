import { dayMs, daySeconds, getPastTime, hourMs, minuteMs } from './duration'

test('durations are in the unit of their name', () => {
  expect([dayMs, hourMs, minuteMs]).toEqual([86_400_000, 3_600_000, 60_000])
  expect(daySeconds * 1000).toBe(dayMs)
})

test('a past time is an ISO time before the given moment', () => {
  const nowMs = Date.UTC(2026, 10, 26, 8)
  expect(getPastTime(dayMs + hourMs, nowMs)).toBe('2026-11-25T07:00:00.000Z')
  expect(Date.parse(getPastTime(minuteMs))).toBeLessThanOrEqual(Date.now() - minuteMs)
})
