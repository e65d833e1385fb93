import { isTimeZone, toEpochMs, toZonedClock, toZonedDate } from './timeZone'

const berlinZone = 'Europe/Berlin'
const toIsoTime = (date: string, clock: string, timeZone: string) =>
  new Date(toEpochMs(date, clock, timeZone)).toISOString()

it.each(['Asia/Shanghai', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])(
  'accepts %s as a time zone',
  (name) => expect(isTimeZone(name)).toBe(true),
)
it.each(['', '+08:00', 'GMT+8', 'UTC+8', 'Asia/Atlantis', '北京', 'Asia/Shanghai ', "x' or '1"])(
  'refuses %j as a time zone',
  (name) => expect(isTimeZone(name)).toBe(false),
)
it.each([
  ['in winter', '2026-01-15', '18:30', '2026-01-15T17:30:00.000Z'],
  ['in summer', '2026-07-15', '18:30', '2026-07-15T16:30:00.000Z'],
  ['before the clock jumps', '2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
  ['that is skipped', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ['after the clock jumps', '2026-03-29', '03:30', '2026-03-29T01:30:00.000Z'],
  ['that comes twice', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ['after the hour that comes twice', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
  ['at midnight of a 25-hour day', '2026-10-25', '00:00', '2026-10-24T22:00:00.000Z'],
])('converts a local time in Berlin %s', (_, date, clock, moment) =>
  expect(toIsoTime(date, clock, berlinZone)).toBe(moment),
)
it('converts local times in zones with odd offsets in both directions', () => {
  expect(toIsoTime('2026-11-25', '08:00', 'Asia/Shanghai')).toBe('2026-11-25T00:00:00.000Z')
  expect(toIsoTime('2026-11-25', '08:00', 'Asia/Kathmandu')).toBe('2026-11-25T02:15:00.000Z')
  expect(toIsoTime('2026-11-25', '23:59:59.999', 'Asia/Shanghai')).toBe('2026-11-25T15:59:59.999Z')
  for (const zone of [berlinZone, 'America/St_Johns', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const epochMs = toEpochMs('2026-12-31', '23:15', zone)
    expect([toZonedDate(epochMs, zone), toZonedClock(epochMs, zone)]).toEqual([
      '2026-12-31',
      '23:15',
    ])
  }
})
