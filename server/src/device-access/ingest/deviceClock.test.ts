import { dayMs, hourMs } from '@iot/shared/contract/duration'
import { boundTime, createDeviceClocks } from './deviceClock'

const now = () => Date.now()
const isNow = (at: number) => Math.abs(at - Date.now()) < 1000
const judge = (time: number | undefined, isHistory = false) =>
  createDeviceClocks().judge({ id: 'a' }, 'PowerSwitch', 1, time, isHistory)

it.each([
  ['0', 0],
  ['negative', -5],
  ['never set', 12_345],
  ['of 2000', Date.UTC(2000, 0)],
  ['of 2020 on a live topic', Date.UTC(2020, 5)],
  ['two days late on a live topic', now() - 2 * dayMs],
  ['eight hours ahead', now() + 8 * hourMs],
  ['in microseconds', now() * 1000],
])(
  'replaces a device time %s by the time of the platform and marks the clock as wrong',
  (_, time) => {
    const { at, offsetMs } = judge(time)
    expect(isNow(at)).toBe(true)
    expect(offsetMs).not.toBeNull()
    expect(offsetMs).toBeDefined()
  },
)
it('keeps a plausible time in milliseconds or seconds and marks the clock as right', () => {
  const minuteAgo = now() - 60_000
  expect(judge(minuteAgo)).toEqual({ at: minuteAgo, isBeforeCommand: false, offsetMs: null })
  const second = Math.floor(now() / 1000) - 60
  expect(judge(second)).toMatchObject({ at: second * 1000 + 999, offsetMs: null })
  expect(judge(undefined)).toEqual({ at: expect.any(Number), isBeforeCommand: false })
  // A clock slightly ahead is accepted, and its value counts as of now.
  expect(isNow(judge(now() + 60_000).at)).toBe(true)
  expect(judge(now() + 60_000).offsetMs).toBeNull()
})
it('keeps the old time of a value sent as history', () => {
  const old = now() - 30 * dayMs
  expect(judge(old, true)).toEqual({ at: old, isBeforeCommand: false })
})
it('takes the commanded value with a time before the command as current, and the following values too', () => {
  const clocks = createDeviceClocks()
  clocks.recordCommand('a', { PowerSwitch: 1 })
  const hourAgo = now() - hourMs
  const answer = clocks.judge({ id: 'a' }, 'PowerSwitch', 1, hourAgo)
  expect(isNow(answer.at)).toBe(true)
  expect(answer.isBeforeCommand).toBe(false)
  expect(answer.offsetMs).toBeLessThan(-3500_000)
  expect(isNow(clocks.judge({ id: 'a' }, 'Brightness', 3, hourAgo + 1).at)).toBe(true)
  // Each device has its own clock.
  expect(clocks.judge({ id: 'b' }, 'PowerSwitch', 1, hourAgo).at).toBe(hourAgo)
  // A current time shows that the clock has been set.
  const time = now()
  expect(clocks.judge({ id: 'a' }, 'Brightness', 3, time)).toMatchObject({
    at: time,
    offsetMs: null,
  })
  expect(clocks.judge({ id: 'a' }, 'Brightness', 3, hourAgo).at).toBe(hourAgo)
})
it('does not take a different value from before the command as its answer', () => {
  const clocks = createDeviceClocks()
  clocks.recordCommand('a', { PowerSwitch: 1 })
  const minuteAgo = now() - 60_000
  expect(clocks.judge({ id: 'a' }, 'PowerSwitch', 0, minuteAgo)).toMatchObject({
    at: minuteAgo,
    isBeforeCommand: true,
  })
})
it('uses the current time for an event with an impossible time', () => {
  const time = now()
  expect([0, -1, time + 1, 5].map((one) => boundTime(one, time))).toEqual(Array(4).fill(time))
  expect(boundTime(time - dayMs, time)).toBe(time - dayMs)
})
it('treats a clock some minutes slow as wrong until it is corrected', () => {
  const clocks = createDeviceClocks()
  clocks.recordCommand('a', { PowerSwitch: 1 })
  const slowClockTime = () => now() - 3 * 60_000
  const answer = clocks.judge({ id: 'a' }, 'PowerSwitch', 1, slowClockTime())
  expect(isNow(answer.at)).toBe(true)
  expect(answer.offsetMs).toBeLessThan(-170_000)
  // The wall switch is pressed: the report is newer than the answer, although its time is older.
  const report = clocks.judge({ id: 'a' }, 'PowerSwitch', 0, slowClockTime())
  expect(isNow(report.at)).toBe(true)
  expect(report.isBeforeCommand).toBe(false)
  expect(clocks.judge({ id: 'a' }, 'PowerSwitch', 0, now() - 500).offsetMs).toBeNull()
})
it('remembers a wrong clock over a restart until it is corrected', () => {
  const clocks = createDeviceClocks()
  const device = { id: 'a', clockOffsetMs: -hourMs }
  expect(isNow(clocks.judge(device, 'Brightness', 1, now() - hourMs).at)).toBe(true)
  expect(clocks.judge(device, 'Brightness', 2, now()).offsetMs).toBeNull()
  const hourAgo = now() - hourMs
  expect(clocks.judge(device, 'Brightness', 3, hourAgo)).toEqual({
    at: hourAgo,
    isBeforeCommand: false,
  })
})
