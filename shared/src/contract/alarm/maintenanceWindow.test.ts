import {
  findWindowEnd,
  formatRecurrence,
  hasOccurrence,
  isWindowCurrent,
} from './maintenanceWindow'

const nightly = {
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2026-12-31T00:00:00Z',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  fromClock: '22:00',
  toClock: '06:00',
}
const isCurrent = (
  time: string,
  timeZone = 'Asia/Shanghai',
  change: Partial<typeof nightly> = {},
) => isWindowCurrent({ ...nightly, ...change }, Date.parse(time), timeZone)

it('belongs to the day on which it begins', () => {
  const fridays = { weekdays: [5] }
  // 27 November 2026 is a Friday.
  expect(isCurrent('2026-11-28T03:00:00+08:00', 'Asia/Shanghai', fridays)).toBe(true)
  expect(isCurrent('2026-11-27T03:00:00+08:00', 'Asia/Shanghai', fridays)).toBe(false)
  expect(isCurrent('2026-12-05T03:00:00+08:00', 'Asia/Shanghai', fridays)).toBe(true)
})
it.each([
  ['21:59:59', false],
  ['22:00:00', true],
  ['05:59:59', true],
  ['06:00:00', false],
])('at %s is %s', (clock, expected) => {
  expect(isCurrent(`2026-11-28T${clock}+08:00`)).toBe(expected)
})
it.each([
  ['2026-03-28T21:00:00Z', '2026-03-29T04:00:00Z'],
  ['2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z'],
])('keeps both local ends in the night in which summer time changes: %s to %s', (start, end) => {
  const isCurrentAt = (timeMs: number) => isCurrent(new Date(timeMs).toISOString(), 'Europe/Berlin')
  expect([isCurrentAt(Date.parse(start) - 1), isCurrentAt(Date.parse(start))]).toEqual([
    false,
    true,
  ])
  expect([isCurrentAt(Date.parse(end) - 1), isCurrentAt(Date.parse(end))]).toEqual([true, false])
})
it('starts with the first minute that exists if its start is skipped, and once if it occurs twice', () => {
  const change = { fromClock: '02:30', toClock: '04:00' }
  expect(isCurrent('2026-03-29T00:59:59Z', 'Europe/Berlin', change)).toBe(false)
  expect(isCurrent('2026-03-29T01:00:00Z', 'Europe/Berlin', change)).toBe(true)
  const untilRepeatedHour = { fromClock: '01:00', toClock: '02:30' }
  expect(isCurrent('2026-10-25T00:29:00Z', 'Europe/Berlin', untilRepeatedHour)).toBe(true)
  expect(isCurrent('2026-10-25T01:10:00Z', 'Europe/Berlin', untilRepeatedHour)).toBe(false)
})
it('ends with its last date', () => {
  const change = { endTime: '2026-12-31T03:00:00+08:00' }
  expect(isCurrent('2026-12-31T02:59:59+08:00', 'Asia/Shanghai', change)).toBe(true)
  expect(isCurrent('2026-12-31T03:00:00+08:00', 'Asia/Shanghai', change)).toBe(false)
})
it('is found to have no occurrence in a period without its days', () => {
  const period = { startTime: '2026-11-23T00:00:00+08:00', endTime: '2026-11-25T00:00:00+08:00' }
  expect(hasOccurrence({ ...nightly, ...period, weekdays: [1] }, 'Asia/Shanghai')).toBe(true)
  expect(hasOccurrence({ ...nightly, ...period, weekdays: [6] }, 'Asia/Shanghai')).toBe(false)
})
it('is described with its days and hours', () => {
  expect(formatRecurrence({ ...nightly, weekdays: [1, 3] })).toBe('周一、周三 22:00–次日 06:00')
  expect(formatRecurrence({ ...nightly, weekdays: [] })).toBe('')
})

it.each([
  ['2026-11-28T23:00:00+08:00', {}, '2026-11-29T06:00:00+08:00'],
  ['2026-11-29T05:00:00+08:00', {}, '2026-11-29T06:00:00+08:00'],
  [
    '2026-11-29T05:00:00+08:00',
    { endTime: '2026-11-29T05:30:00+08:00' },
    '2026-11-29T05:30:00+08:00',
  ],
  ['2026-11-29T05:00:00+08:00', { weekdays: [] }, '2026-12-31T08:00:00+08:00'],
  ['2026-11-29T07:00:00+08:00', {}, undefined],
])('at %s with %j ends at %s', (time, change, end) => {
  const window = { ...nightly, ...change }
  expect(findWindowEnd(window, Date.parse(time), 'Asia/Shanghai')).toBe(end && Date.parse(end))
})
