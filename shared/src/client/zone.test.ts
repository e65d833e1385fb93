import { dayMs, getPastTime, hourMs } from '../contract/duration'
import dayjs from 'dayjs'
import {
  fromPickerTime,
  isToday,
  nowForPicker,
  formatShortTime,
  toPickerTime,
  toPageZone,
  nowInPageZone,
} from './zone'
import { clock } from '../contract/clock'
import { NewExpiry } from '../contract/fields.schema'
import { currentProjectIdAtom } from '../session/project'
import { store } from '../session/store'
import { pageTimeZone, timeZonesAtom } from '../session/timeZone'
import { learnServerTime, serverNow } from './serverClock'

/** Formats a time in the project's zone, independent of the zone of this process. */
const formatInShanghai = (time: number) =>
  new Date(time).toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })

it('shows a time in the time zone of the project', () => {
  expect(toPageZone('2026-11-25T20:00:00Z').format('YYYY-MM-DD HH:mm')).toBe('2026-11-26 04:00')
  expect(toPageZone('2026-11-25T20:00:00Z').startOf('day').toISOString()).toBe(
    '2026-11-25T16:00:00.000Z',
  )
  expect(toPageZone('2026-11-25T20:00:00Z').endOf('day').toISOString()).toBe(
    '2026-11-26T15:59:59.999Z',
  )
})
it('converts picker values to the time zone of the project and back', () => {
  const time = '2026-07-01T16:30:00.000Z'
  expect(toPickerTime(time).format('YYYY-MM-DD HH:mm')).toBe('2026-07-02 00:30')
  expect(fromPickerTime(toPickerTime(time)).toISOString()).toBe(time)
  // A picked day ends with the day in the project's zone.
  const pickedTime = dayjs('2026-07-02').endOf('day')
  expect(fromPickerTime(pickedTime).toISOString()).toBe('2026-07-02T15:59:59.999Z')
})
describe('the time zone of a page', () => {
  beforeEach(() => {
    store.set(timeZonesAtom, { 2: 'Europe/Berlin', row: 'America/New_York' })
    store.set(currentProjectIdAtom, 2)
  })
  afterEach(() => {
    store.set(timeZonesAtom, {})
    store.set(currentProjectIdAtom, 1)
    history.replaceState(null, '', '/')
  })
  it.each([
    ['/home', 'Europe/Berlin'],
    ['/deviceAccess/device', 'Europe/Berlin'],
    ['/deviceAccess/device/0190', 'Europe/Berlin'],
    ['/deviceAccess/edgeHost/0190', 'Europe/Berlin'],
    ['/deviceAccess/deviceGroup', 'Asia/Shanghai'],
    ['/system/project/row', 'America/New_York'],
    ['/system/project', 'Asia/Shanghai'],
    ['/system/log/actionLog', 'Asia/Shanghai'],
    ['/enterprise/user', 'Asia/Shanghai'],
  ])('%s is %s', (path, zone) => expect(pageTimeZone(path)).toBe(zone))
  it('is that of the platform when the project has none', () => {
    store.set(currentProjectIdAtom, 3)
    expect(pageTimeZone('/home')).toBe('Asia/Shanghai')
  })
  it('is used to show and parse times', () => {
    history.replaceState(null, '', '/home')
    expect(toPageZone('2026-07-01T16:30:00Z').format('HH:mm')).toBe('18:30')
    expect(toPickerTime('2026-07-01T16:30:00Z').format('HH:mm')).toBe('18:30')
    expect(fromPickerTime(dayjs('2026-07-01T18:30')).toISOString()).toBe('2026-07-01T16:30:00.000Z')
    expect(fromPickerTime(dayjs('2026-01-01T18:30')).toISOString()).toBe('2026-01-01T17:30:00.000Z')
  })
})
it('checks an expiry against the server clock', () => {
  expect(clock.now).toBe(serverNow)
  const inOneHour = new Date(Date.now() + hourMs).toISOString()
  expect(NewExpiry.safeParse(inOneHour).success).toBe(true)
  learnServerTime(Date.now() - 3 * dayMs, Date.now(), Date.now())
  const oneHourAgo = getPastTime(hourMs)
  expect(NewExpiry.safeParse(oneHourAgo).success).toBe(true)
})
it('takes today and now from the server clock, three days behind the browser', () => {
  const serverLagMs = 3 * dayMs
  learnServerTime(Date.now() - serverLagMs, Date.now(), Date.now())
  const now = serverNow()
  expect(nowInPageZone().format('YYYY-MM-DD HH:mm')).toBe(formatInShanghai(now).slice(0, 16))
  expect(nowForPicker().format('YYYY-MM-DD')).toBe(formatInShanghai(now).slice(0, 10))
  expect([isToday(now), isToday(Date.now())]).toEqual([true, false])
  expect(formatShortTime(now)).toBe(formatInShanghai(now).slice(11, 16))
  expect(formatShortTime(Date.now())).toBe(formatInShanghai(Date.now()).slice(5, 16))
})
