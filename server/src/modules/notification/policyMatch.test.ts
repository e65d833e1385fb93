import { explainOutsideHours, findPolicyDate, type PolicyRow } from './policyMatch'

const zone = 'Asia/Shanghai'
const night = { fromClock: '22:00', toClock: '06:00' }
const toTime = (local: string) => `${local}+08:00`

it.each([
  ['2026-11-27T21:59:59', undefined],
  ['2026-11-27T22:00:00', '2026-11-27'],
  ['2026-11-28T00:00:00', '2026-11-27'],
  ['2026-11-28T05:59:59', '2026-11-27'],
  ['2026-11-28T06:00:00', undefined],
])('assigns %s to the night of %s', (local, date) => {
  expect(findPolicyDate(night, toTime(local), zone)).toBe(date)
})

it('follows the clock of the project through the change to summer time', () => {
  const berlin = 'Europe/Berlin'
  expect(findPolicyDate(night, '2026-03-28T20:59:59Z', berlin)).toBeUndefined()
  expect(findPolicyDate(night, '2026-03-28T21:00:00Z', berlin)).toBe('2026-03-28')
  expect(findPolicyDate(night, '2026-03-29T03:59:59Z', berlin)).toBe('2026-03-28')
  expect(findPolicyDate(night, '2026-03-29T04:00:00Z', berlin)).toBeUndefined()
  expect(findPolicyDate(night, '2026-10-25T04:59:59Z', berlin)).toBe('2026-10-24')
  expect(findPolicyDate(night, '2026-10-25T05:00:00Z', berlin)).toBeUndefined()
})

const explain = (change: Partial<PolicyRow>, local: string, daysOff: string[]) =>
  explainOutsideHours({ ...night, dayMode: 'all', ...change }, toTime(local), zone, async (date) =>
    daysOff.includes(date),
  )

it('judges the night after a workday by the workday', async () => {
  const daysOff = ['2026-11-28']
  expect(await explain({ dayMode: 'workday' }, '2026-11-28T03:00:00', daysOff)).toBeUndefined()
  expect(await explain({ dayMode: 'off' }, '2026-11-28T03:00:00', daysOff)).toBe(
    '2026-11-27 不是休息日',
  )
  expect(await explain({ dayMode: 'off' }, '2026-11-28T23:00:00', daysOff)).toBeUndefined()
})

it('names the hours outside of which it does not notify', async () => {
  expect(await explain({}, '2026-11-28T12:00:00', [])).toBe('不在生效时间（每天 22:00–次日 06:00）')
  expect(await explain({ fromClock: '', toClock: '' }, '2026-11-28T12:00:00', [])).toBeUndefined()
})
