import { byWeek, datesOf, weekdayOf } from '@iot/shared/contract/calendarDay'
import type { Timing, Trigger } from '@iot/shared/contract/scene'
import { publishedBetween } from '../calendar/published'
import { dueTimes, momentOf, sunOf, type Calendar, type Day } from './dueTimes'

// The server may stand anywhere.
process.env.TZ = 'America/Los_Angeles'

const published = new Map<string, Day>(
  publishedBetween('2025-01-01', '2027-12-31').map((day) => [day.date, day]),
)
const set = new Map<string, Day>()
const calendar: Calendar = (date) =>
  set.get(date) ??
  published.get(date) ?? {
    ...{ type: byWeek(date, { weekendMode: 'double', alternateFrom: null }), name: '' },
    source: 'week',
  }
const shenzhen = { longitude: 114.06, latitude: 22.54 }
const every = [1, 2, 3, 4, 5, 6, 7]
const workWeek = [1, 2, 3, 4, 5]
const at = (time: string, weekdays = workWeek): Trigger => ({ kind: 'weekly', weekdays, time })
const timing = (triggers: Trigger[], more: Partial<Timing> = {}): Timing => ({
  ...{ triggers, calendarId: null, dayMode: 'ignore', dayTypes: [] },
  ...{ silenceMinutes: 0, quietFrom: null, quietTo: null },
  ...more,
})
const start = (year: number) => momentOf(`${year}-01-01`) - 1
const between = (scene: Timing, from: number, to: number, last?: number) => [
  ...dueTimes(scene, calendar, shenzhen, from, to, last),
]
const ofYear = (scene: Timing, year: number) => between(scene, start(year), start(year + 1))
const runsOf = (scene: Timing, year: number) =>
  ofYear(scene, year).flatMap(({ runs, date }) => (runs ? date : []))
const on = (scene: Timing, date: string) =>
  between(scene, momentOf(date) - 1, momentOf(date, '23:59')).map(({ time, runs, reason }) =>
    `${time} ${runs ? '执行' : '不执行'} ${reason}`.trim(),
  )
afterEach(() => set.clear())

describe.each([2025, 2026, 2027])('the whole year %i', (year) => {
  const dates = datesOf(year)
  const isOff = (date: string) => ['statutory', 'lieu', 'weekend'].includes(calendar(date).type)

  it('without a calendar runs on each of its weekdays, once, at its time in Shanghai', () => {
    const due = ofYear(timing([at('18:30')]), year).filter(({ runs }) => runs)
    expect(due.map(({ date }) => date)).toEqual(dates.filter((date) => weekdayOf(date) < 6))
    expect(new Set(due.map(({ time }) => time))).toEqual(new Set(['18:30']))
    expect(due.every((one) => one.at === momentOf(one.date, '18:30'))).toBe(true)
  })
  it('runs on days one works only, make-up days among them', () => {
    const scene = timing([at('08:00', every)], { dayMode: 'only', dayTypes: ['workday', 'makeup'] })
    expect(runsOf(scene, year)).toEqual(dates.filter((date) => !isOff(date)))
  })
  it('runs on days off only', () => {
    const dayTypes = ['statutory', 'lieu', 'weekend'] as const
    const scene = timing([at('08:00', every)], { dayMode: 'only', dayTypes: [...dayTypes] })
    expect(runsOf(scene, year)).toEqual(dates.filter(isOff))
  })
  it('keeps away from holidays', () => {
    const scene = timing([at('08:00')], { dayMode: 'avoid', dayTypes: ['statutory', 'lieu'] })
    const wanted = dates.filter(
      (date) => weekdayOf(date) < 6 && !['statutory', 'lieu'].includes(calendar(date).type),
    )
    expect(runsOf(scene, year)).toEqual(wanted)
  })
  it('takes holidays for Sundays', () => {
    const asSunday = { dayMode: 'asSunday', dayTypes: ['statutory', 'lieu'] } as const
    const isSunday = (date: string) =>
      weekdayOf(date) === 7 || ['statutory', 'lieu'].includes(calendar(date).type)
    const scene = (weekdays: number[]) =>
      timing([at('08:00', weekdays)], { ...asSunday, dayTypes: [...asSunday.dayTypes] })
    expect(runsOf(scene([7]), year)).toEqual(dates.filter(isSunday))
    expect(runsOf(scene(workWeek), year)).toEqual(
      dates.filter((date) => weekdayOf(date) < 6 && !isSunday(date)),
    )
    const cron = timing([{ kind: 'cron', cron: '0 8 * * SUN' }], {
      ...asSunday,
      dayTypes: [...asSunday.dayTypes],
    })
    expect(runsOf(cron, year)).toEqual(dates.filter(isSunday))
  })
  it('follows the sun every day, and rises before it sets', () => {
    const sun = (event: 'sunrise' | 'sunset'): Trigger => ({
      ...{ kind: 'sun', event, offset: 0, weekdays: every, position: null },
    })
    expect(runsOf(timing([sun('sunrise')]), year)).toEqual(dates)
    expect(runsOf(timing([sun('sunset')]), year)).toEqual(dates)
    for (const date of dates)
      expect(sunOf('sunset', date, shenzhen)! - sunOf('sunrise', date, shenzhen)!).toBeGreaterThan(
        10 * 3600_000,
      )
  })
  it('is the same when it is asked minute by minute as when it is asked at once', () => {
    const scene = timing([at('23:59'), { kind: 'cron', cron: '0 0 * * *' }], {
      ...{ dayMode: 'avoid', dayTypes: ['statutory'] },
    })
    const from = momentOf(`${year - 1}-12-28`)
    const to = momentOf(`${year}-01-05`)
    const steps = []
    for (let at = from; at < to; at += 7 * 60_000)
      steps.push(...between(scene, at, Math.min(to, at + 7 * 60_000)))
    expect(steps).toEqual(between(scene, from, to))
  })
})

/** Always the same numbers. */
function* numbers(seed: number): Generator<number, never> {
  for (;;) {
    seed = (seed * 48271) % 2147483647
    yield seed / 2147483647
  }
}
const wheres: Calendar[] = [
  calendar,
  (date) => ({
    ...{ name: '', source: 'week' },
    type: byWeek(date, { weekendMode: 'alternate', alternateFrom: '2025-01-04' }),
  }),
]
it.each(Array.from({ length: 30 }, (_, n) => n + 1))(
  'what is foretold for sixty days is what comes, tick by tick: scene %i',
  (seed) => {
    const random = numbers(seed * 7919)
    const below = (most: number) => Math.floor(random.next().value * most)
    const oneOf = <T>(some: readonly T[]) => some[below(some.length)]!
    const some = <T>(all: readonly T[]) => {
      const kept = all.filter(() => below(2))
      return kept.length > 0 ? kept : [oneOf(all)]
    }
    const clock = () =>
      `${String(below(24)).padStart(2, '0')}:${String(below(60)).padStart(2, '0')}`
    const trigger = (): Trigger =>
      oneOf([
        () => at(clock(), some(every)),
        (): Trigger => ({
          ...{ kind: 'sun', event: oneOf(['sunrise', 'sunset'] as const) },
          ...{
            offset: oneOf([-360, 360, below(721) - 360]),
            weekdays: some(every),
            position: null,
          },
        }),
        (): Trigger => ({
          kind: 'cron',
          cron: oneOf(['*/37 * * * *', '0 0 1,15 * *', '59 23 * * 1-5', '15 6 * 1,12 0']),
        }),
      ])()
    const scene = timing(Array.from({ length: 1 + below(3) }, trigger), {
      dayMode: oneOf(['ignore', 'avoid', 'only', 'asSunday']),
      dayTypes: some(['statutory', 'lieu', 'makeup', 'workday', 'weekend']),
      silenceMinutes: oneOf([0, 0, 45, 600]),
      ...oneOf([{}, { quietFrom: '22:30', quietTo: '06:10' }]),
    })
    const by = oneOf(wheres)
    // In the far north-east the sun rises at three.
    const place = oneOf([shenzhen, { longitude: 131.2, latitude: 47.3 }])
    const from = momentOf(oneOf(['2024-12-20', '2025-09-10', '2026-05-20', '2026-11-25'])) + seed
    const to = from + 60 * 86_400_000
    const foretold = [...dueTimes(scene, by, place, from, to)]
    expect(foretold.map((one) => one.at)).toEqual(
      [...new Set(foretold.map((one) => one.at))].sort((one, other) => one - other),
    )
    const came = []
    let last: number | undefined
    for (let since = from; since < to;) {
      const until = Math.min(to, since + oneOf([1, 10, below(1500) + 1]) * 60_000)
      const due = [...dueTimes(scene, by, place, since, until, last)]
      came.push(...due)
      last = due.findLast(({ runs }) => runs)?.at ?? last
      since = until
    }
    expect(came).toEqual(foretold)
  },
)

describe('reasons', () => {
  const working = timing([at('18:30', every)], { dayMode: 'only', dayTypes: ['workday', 'makeup'] })
  it('names a make-up day on which it runs', () =>
    expect(on(working, '2026-10-10')).toEqual(['18:30 执行 10-10 调休上班（国庆节调休）']))
  it('names a holiday on which it does not', () =>
    expect(on(working, '2026-10-01')).toEqual([
      '18:30 不执行 10-01 法定节假日（国庆节），仅在工作日、调休上班执行',
    ]))
  it('says that a make-up day is left out by its weekday', () =>
    expect(on(timing([at('18:30')]), '2026-10-10')).toEqual([
      '18:30 不执行 10-10 调休上班（国庆节调休），但周六不在所选星期里',
    ]))
  it('says that a holiday counts as a Sunday', () =>
    expect(
      on(timing([at('18:30')], { dayMode: 'asSunday', dayTypes: ['statutory'] }), '2026-10-01'),
    ).toEqual(['18:30 不执行 10-01 法定节假日（国庆节），按周日，周日不执行']))
  it('says nothing of an ordinary day', () =>
    expect(on(working, '2026-11-25')).toEqual(['18:30 执行']))
  it('takes what was set by hand, also over the end of a year that is not published', () => {
    set.set('2027-01-02', { type: 'makeup', name: '元旦调休', source: 'manual' })
    expect(on(working, '2027-01-02')).toEqual(['18:30 执行 01-02 调休上班（元旦调休）'])
    expect(on(working, '2027-01-03')).toEqual(['18:30 不执行 01-03 周末，仅在工作日、调休上班执行'])
  })
})

describe('silence', () => {
  it('is kept within its hours, over midnight too', () => {
    const scene = timing([{ kind: 'cron', cron: '0 */4 * * *' }], {
      ...{ quietFrom: '23:00', quietTo: '06:00' },
    })
    expect(on(scene, '2026-11-25')).toEqual([
      '00:00 不执行 静默时段 23:00–06:00',
      '04:00 不执行 静默时段 23:00–06:00',
      ...['08:00', '12:00', '16:00', '20:00'].map((time) => `${time} 执行`),
    ])
  })
  it('is kept for so long after a run', () => {
    const scene = timing([{ kind: 'cron', cron: '*/20 8 * * *' }], { silenceMinutes: 30 })
    const last = momentOf('2026-11-25', '07:45')
    expect(
      between(scene, last, momentOf('2026-11-25', '09:00'), last).map(({ runs }) => runs),
    ).toEqual([false, true, false])
  })
})

it('two timers that fall together are one', () =>
  expect(on(timing([at('08:00'), { kind: 'cron', cron: '0 8 * * *' }]), '2026-11-25')).toEqual([
    '08:00 执行',
  ]))
it('an offset of the sun may carry it over midnight', () => {
  const trigger: Trigger = {
    ...{ kind: 'sun', event: 'sunset', offset: 360, weekdays: [5], position: null },
  }
  // Sunset of Friday, 2026-06-26 is at 19:11 in Shenzhen.
  expect(on(timing([trigger]), '2026-06-27')).toEqual(['01:11 执行'])
})
it('the sun of Shenzhen is that of the almanac', () => {
  const clock = (moment: number | undefined) =>
    new Date(moment! + 8 * 3600_000).toISOString().slice(11, 16)
  expect(clock(sunOf('sunrise', '2026-11-22', shenzhen))).toMatch(/^06:(39|40|41|42)$/)
  expect(clock(sunOf('sunset', '2026-11-22', shenzhen))).toMatch(/^17:(37|38|39|40)$/)
})
it('where the sun does not rise nothing is due', () => {
  const pole = { longitude: 0, latitude: 85 }
  expect(sunOf('sunrise', '2026-12-21', pole)).toBeUndefined()
})
