import dayjs from 'dayjs'
import { fromPicker, isToday, pickerNow, shortTime, toPicker, zoned, zonedNow } from './zone'
import { learnServerTime, serverNow } from './serverClock'

/** What the clock of the project shows, whatever zone this process runs in. */
const shanghai = (time: number) =>
  new Date(time).toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })

it('shows a moment with the clock of the project', () => {
  expect(zoned('2026-11-25T20:00:00Z').format('YYYY-MM-DD HH:mm')).toBe('2026-11-26 04:00')
  expect(zoned('2026-11-25T20:00:00Z').startOf('day').toISOString()).toBe('2026-11-25T16:00:00.000Z')
  expect(zoned('2026-11-25T20:00:00Z').endOf('day').toISOString()).toBe('2026-11-26T15:59:59.999Z')
})
it('gives pickers the clock of the project and reads the same moment back', () => {
  const time = '2026-07-01T16:30:00.000Z'
  expect(toPicker(time).format('YYYY-MM-DD HH:mm')).toBe('2026-07-02 00:30')
  expect(fromPicker(toPicker(time)).toISOString()).toBe(time)
  // A day that is chosen ends with the day of the project.
  const chosen = dayjs('2026-07-02').endOf('day')
  expect(fromPicker(chosen).toISOString()).toBe('2026-07-02T15:59:59.999Z')
})
it('takes today and now from the clock of the server, three days behind this one', () => {
  const behindMs = 3 * 24 * 3600_000
  learnServerTime(Date.now() - behindMs, Date.now(), Date.now())
  const now = serverNow()
  expect(zonedNow().format('YYYY-MM-DD HH:mm')).toBe(shanghai(now).slice(0, 16))
  expect(pickerNow().format('YYYY-MM-DD')).toBe(shanghai(now).slice(0, 10))
  expect([isToday(now), isToday(Date.now())]).toEqual([true, false])
  expect(shortTime(now)).toBe(shanghai(now).slice(11, 16))
  expect(shortTime(Date.now())).toBe(shanghai(Date.now()).slice(5, 16))
})
