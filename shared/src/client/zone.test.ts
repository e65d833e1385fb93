import dayjs from 'dayjs'
import { fromPicker, isToday, pickerNow, shortTime, toPicker, zoned, zonedNow } from './zone'
import { clock } from '../contract/clock'
import { NewExpiry } from '../contract/fields'
import { currentProjectIdAtom } from '../session/project'
import { store } from '../session/store'
import { pageTimeZone, timeZonesAtom } from '../session/timeZone'
import { learnServerTime, serverNow } from './serverClock'

/** Clock of the project as text, independent of the zone of this process. */
const shanghai = (time: number) =>
  new Date(time).toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })

it('shows a moment with the clock of the project', () => {
  expect(zoned('2026-11-25T20:00:00Z').format('YYYY-MM-DD HH:mm')).toBe('2026-11-26 04:00')
  expect(zoned('2026-11-25T20:00:00Z').startOf('day').toISOString()).toBe(
    '2026-11-25T16:00:00.000Z',
  )
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
describe('the zone of a page', () => {
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
  it('is that of the platform where the project tells none', () => {
    store.set(currentProjectIdAtom, 3)
    expect(pageTimeZone('/home')).toBe('Asia/Shanghai')
  })
  it('is the one in which times are shown and typed', () => {
    history.replaceState(null, '', '/home')
    expect(zoned('2026-07-01T16:30:00Z').format('HH:mm')).toBe('18:30')
    expect(toPicker('2026-07-01T16:30:00Z').format('HH:mm')).toBe('18:30')
    expect(fromPicker(dayjs('2026-07-01T18:30')).toISOString()).toBe('2026-07-01T16:30:00.000Z')
    expect(fromPicker(dayjs('2026-01-01T18:30')).toISOString()).toBe('2026-01-01T17:30:00.000Z')
  })
})
it('judges an expiry by the clock of the server', () => {
  expect(clock.now).toBe(serverNow)
  const soon = new Date(Date.now() + 3600_000).toISOString()
  expect(NewExpiry.safeParse(soon).success).toBe(true)
  learnServerTime(Date.now() - 3 * 24 * 3600_000, Date.now(), Date.now())
  const past = new Date(Date.now() - 3600_000).toISOString()
  expect(NewExpiry.safeParse(past).success).toBe(true)
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
