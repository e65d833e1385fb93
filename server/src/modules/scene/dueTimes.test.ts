import { dayMs, hourMs } from '@iot/shared/contract/duration'
import {
  getWeekDayType,
  listDatesInYear,
  getWeekday,
} from '@iot/shared/contract/project/calendarDay'
import type { Timing, Trigger } from '@iot/shared/contract/control/scene.schema'
import { getPublishedDays } from '../calendar/publishedHolidays'
import { toEpochMs } from '@iot/shared/contract/timeZone'
import { dueTimes, getSunTime, type Calendar, type Day } from './dueTimes'

// The result must not depend on the server's time zone.
process.env.TZ = 'America/Los_Angeles'

const publishedDays = new Map<string, Day>(
  getPublishedDays('2025-01-01', '2027-12-31').map((day) => [day.date, day]),
)
const manualDays = new Map<string, Day>()
const calendar: Calendar = (date) =>
  manualDays.get(date) ??
  publishedDays.get(date) ?? {
    type: getWeekDayType(date, { weekendMode: 'double', alternateFrom: null }),
    name: '',
    source: 'week',
  }
const shenzhen = { longitude: 114.06, latitude: 22.54 }
const timeZone = 'Asia/Shanghai'
const toShanghaiMoment = (date: string, clock = '00:00') => toEpochMs(date, clock, timeZone)
const allWeekdays = [1, 2, 3, 4, 5, 6, 7]
const workWeek = [1, 2, 3, 4, 5]
const weeklyTrigger = (time: string, weekdays = workWeek): Trigger => ({
  kind: 'weekly',
  weekdays,
  time,
})
const createTiming = (triggers: Trigger[], overrides: Partial<Timing> = {}): Timing => ({
  triggers,
  calendarId: null,
  dayMode: 'ignore',
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
  ...overrides,
})
const toYearStart = (year: number) => toShanghaiMoment(`${year}-01-01`) - 1
const listDueTimes = (scene: Timing, from: number, to: number, last?: number) => [
  ...dueTimes(scene, calendar, { timeZone, position: shenzhen }, from, to, last),
]
const listDueInYear = (scene: Timing, year: number) =>
  listDueTimes(scene, toYearStart(year), toYearStart(year + 1))
const listRunDates = (scene: Timing, year: number) =>
  listDueInYear(scene, year).flatMap(({ runs, date }) => (runs ? date : []))
const describeDay = (scene: Timing, date: string) =>
  listDueTimes(scene, toShanghaiMoment(date) - 1, toShanghaiMoment(date, '23:59')).map(
    ({ time, runs, reason }) => `${time} ${runs ? '执行' : '不执行'} ${reason}`.trim(),
  )
afterEach(() => manualDays.clear())

describe.each([2025, 2026, 2027])('the year %i', (year) => {
  const dates = listDatesInYear(year)
  const isOff = (date: string) => ['statutory', 'lieu', 'weekend'].includes(calendar(date).type)

  it('without a calendar is due once on each of its weekdays at its Shanghai time', () => {
    const due = listDueInYear(createTiming([weeklyTrigger('18:30')]), year).filter(
      ({ runs }) => runs,
    )
    expect(due.map(({ date }) => date)).toEqual(dates.filter((date) => getWeekday(date) < 6))
    expect(new Set(due.map(({ time }) => time))).toEqual(new Set(['18:30']))
    expect(
      due.every((candidate) => candidate.at === toShanghaiMoment(candidate.date, '18:30')),
    ).toBe(true)
  })
  it('is due on workdays only, including make-up workdays', () => {
    const scene = createTiming([weeklyTrigger('08:00', allWeekdays)], {
      dayMode: 'only',
      dayTypes: ['workday', 'makeup'],
    })
    expect(listRunDates(scene, year)).toEqual(dates.filter((date) => !isOff(date)))
  })
  it('is due on days off only', () => {
    const dayTypes = ['statutory', 'lieu', 'weekend'] as const
    const scene = createTiming([weeklyTrigger('08:00', allWeekdays)], {
      dayMode: 'only',
      dayTypes: [...dayTypes],
    })
    expect(listRunDates(scene, year)).toEqual(dates.filter(isOff))
  })
  it('is not due on holidays', () => {
    const scene = createTiming([weeklyTrigger('08:00')], {
      dayMode: 'avoid',
      dayTypes: ['statutory', 'lieu'],
    })
    const expectedDates = dates.filter(
      (date) => getWeekday(date) < 6 && !['statutory', 'lieu'].includes(calendar(date).type),
    )
    expect(listRunDates(scene, year)).toEqual(expectedDates)
  })
  it('treats holidays as Sundays', () => {
    const asSunday = { dayMode: 'asSunday', dayTypes: ['statutory', 'lieu'] } as const
    const isSunday = (date: string) =>
      getWeekday(date) === 7 || ['statutory', 'lieu'].includes(calendar(date).type)
    const scene = (weekdays: number[]) =>
      createTiming([weeklyTrigger('08:00', weekdays)], {
        ...asSunday,
        dayTypes: [...asSunday.dayTypes],
      })
    expect(listRunDates(scene([7]), year)).toEqual(dates.filter(isSunday))
    expect(listRunDates(scene(workWeek), year)).toEqual(
      dates.filter((date) => getWeekday(date) < 6 && !isSunday(date)),
    )
    const cron = createTiming([{ kind: 'cron', cron: '0 8 * * SUN' }], {
      ...asSunday,
      dayTypes: [...asSunday.dayTypes],
    })
    expect(listRunDates(cron, year)).toEqual(dates.filter(isSunday))
  })
  it('is due at sunrise and sunset every day, in this order', () => {
    const createSunTrigger = (event: 'sunrise' | 'sunset'): Trigger => ({
      kind: 'sun',
      event,
      offset: 0,
      weekdays: allWeekdays,
      position: null,
    })
    expect(listRunDates(createTiming([createSunTrigger('sunrise')]), year)).toEqual(dates)
    expect(listRunDates(createTiming([createSunTrigger('sunset')]), year)).toEqual(dates)
    for (const date of dates)
      expect(
        getSunTime('sunset', date, shenzhen, timeZone)! -
          getSunTime('sunrise', date, shenzhen, timeZone)!,
      ).toBeGreaterThan(10 * hourMs)
  })
  it('has the same due times minute by minute as in one query', () => {
    const scene = createTiming([weeklyTrigger('23:59'), { kind: 'cron', cron: '0 0 * * *' }], {
      dayMode: 'avoid',
      dayTypes: ['statutory'],
    })
    const from = toShanghaiMoment(`${year - 1}-12-28`)
    const to = toShanghaiMoment(`${year}-01-05`)
    const steps = []
    for (let at = from; at < to; at += 7 * 60_000)
      steps.push(...listDueTimes(scene, at, Math.min(to, at + 7 * 60_000)))
    expect(steps).toEqual(listDueTimes(scene, from, to))
  })
})

/** A fixed seed always yields the same numbers. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (;;) {
    seed = (seed * 48271) % 2147483647
    yield seed / 2147483647
  }
}
const calendarVariants: Calendar[] = [
  calendar,
  (date) => ({
    name: '',
    source: 'week',
    type: getWeekDayType(date, { weekendMode: 'alternate', alternateFrom: '2025-01-04' }),
  }),
]
it.each(Array.from({ length: 30 }, (_, n) => n + 1))(
  'the forecast of sixty days equals the actual runs, tick by tick: scene %i',
  (seed) => {
    const random = randomNumbers(seed * 7919)
    const randomBelow = (limit: number) => Math.floor(random.next().value * limit)
    const pickOne = <T>(options: readonly T[]) => options[randomBelow(options.length)]!
    const pickSome = <T>(all: readonly T[]) => {
      const picked = all.filter(() => randomBelow(2))
      return picked.length > 0 ? picked : [pickOne(all)]
    }
    const randomClock = () =>
      `${String(randomBelow(24)).padStart(2, '0')}:${String(randomBelow(60)).padStart(2, '0')}`
    const randomTrigger = (): Trigger =>
      pickOne([
        () => weeklyTrigger(randomClock(), pickSome(allWeekdays)),
        (): Trigger => ({
          kind: 'sun',
          event: pickOne(['sunrise', 'sunset'] as const),
          offset: pickOne([-360, 360, randomBelow(721) - 360]),
          weekdays: pickSome(allWeekdays),
          position: null,
        }),
        (): Trigger => ({
          kind: 'cron',
          cron: pickOne(['*/37 * * * *', '0 0 1,15 * *', '59 23 * * 1-5', '15 6 * 1,12 0']),
        }),
      ])()
    const scene = createTiming(Array.from({ length: 1 + randomBelow(3) }, randomTrigger), {
      dayMode: pickOne(['ignore', 'avoid', 'only', 'asSunday']),
      dayTypes: pickSome(['statutory', 'lieu', 'makeup', 'workday', 'weekend']),
      silenceMinutes: pickOne([0, 0, 45, 600]),
      ...pickOne([{}, { quietFrom: '22:30', quietTo: '06:10' }]),
    })
    const calendarVariant = pickOne(calendarVariants)
    // The sun rises at three o'clock in the far north-east.
    const site = {
      timeZone: pickOne([timeZone, 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe']),
      position: pickOne([shenzhen, { longitude: 131.2, latitude: 47.3 }]),
    }
    const from =
      toShanghaiMoment(pickOne(['2024-12-20', '2025-09-10', '2026-05-20', '2026-11-25'])) + seed
    const to = from + 60 * dayMs
    const predicted = [...dueTimes(scene, calendarVariant, site, from, to)]
    expect(predicted.map((item) => item.at)).toEqual(
      [...new Set(predicted.map((item) => item.at))].sort((a, b) => a - b),
    )
    const actual = []
    let last: number | undefined
    for (let since = from; since < to;) {
      const until = Math.min(to, since + pickOne([1, 10, randomBelow(1500) + 1]) * 60_000)
      const due = [...dueTimes(scene, calendarVariant, site, since, until, last)]
      actual.push(...due)
      last = due.findLast(({ runs }) => runs)?.at ?? last
      since = until
    }
    expect(actual).toEqual(predicted)
  },
)

describe('the reasons of due times', () => {
  const workdayTiming = createTiming([weeklyTrigger('18:30', allWeekdays)], {
    dayMode: 'only',
    dayTypes: ['workday', 'makeup'],
  })
  it('name a make-up workday on which the scene runs', () =>
    expect(describeDay(workdayTiming, '2026-10-10')).toEqual([
      '18:30 执行 10-10 调休上班（国庆节调休）',
    ]))
  it('name a holiday on which it does not run', () =>
    expect(describeDay(workdayTiming, '2026-10-01')).toEqual([
      '18:30 不执行 10-01 法定节假日（国庆节），仅在工作日、调休上班执行',
    ]))
  it('name the weekday that excludes a make-up workday', () =>
    expect(describeDay(createTiming([weeklyTrigger('18:30')]), '2026-10-10')).toEqual([
      '18:30 不执行 10-10 调休上班（国庆节调休），但周六不在所选星期里',
    ]))
  it('name a holiday treated as Sunday', () =>
    expect(
      describeDay(
        createTiming([weeklyTrigger('18:30')], { dayMode: 'asSunday', dayTypes: ['statutory'] }),
        '2026-10-01',
      ),
    ).toEqual(['18:30 不执行 10-01 法定节假日（国庆节），按周日，周日不执行']))
  it('are empty on an ordinary day', () =>
    expect(describeDay(workdayTiming, '2026-11-25')).toEqual(['18:30 执行']))
  it('include manual dates, also beyond the published years', () => {
    manualDays.set('2027-01-02', { type: 'makeup', name: '元旦调休', source: 'manual' })
    expect(describeDay(workdayTiming, '2027-01-02')).toEqual([
      '18:30 执行 01-02 调休上班（元旦调休）',
    ])
    expect(describeDay(workdayTiming, '2027-01-03')).toEqual([
      '18:30 不执行 01-03 周末，仅在工作日、调休上班执行',
    ])
  })
})

describe('quiet hours and the silence after a run', () => {
  it('suppress due times within the hours, also over midnight', () => {
    const scene = createTiming([{ kind: 'cron', cron: '0 */4 * * *' }], {
      quietFrom: '23:00',
      quietTo: '06:00',
    })
    expect(describeDay(scene, '2026-11-25')).toEqual([
      '00:00 不执行 静默时段 23:00–06:00',
      '04:00 不执行 静默时段 23:00–06:00',
      ...['08:00', '12:00', '16:00', '20:00'].map((time) => `${time} 执行`),
    ])
  })
  it('suppress due times for the given minutes after a run', () => {
    const scene = createTiming([{ kind: 'cron', cron: '*/20 8 * * *' }], { silenceMinutes: 30 })
    const last = toShanghaiMoment('2026-11-25', '07:45')
    expect(
      listDueTimes(scene, last, toShanghaiMoment('2026-11-25', '09:00'), last).map(
        ({ runs }) => runs,
      ),
    ).toEqual([false, true, false])
  })
})

it('two triggers due in the same minute start one run', () =>
  expect(
    describeDay(
      createTiming([weeklyTrigger('08:00'), { kind: 'cron', cron: '0 8 * * *' }]),
      '2026-11-25',
    ),
  ).toEqual(['08:00 执行']))
it('a sun offset may cross midnight', () => {
  const trigger: Trigger = {
    kind: 'sun',
    event: 'sunset',
    offset: 360,
    weekdays: [5],
    position: null,
  }
  // Sunset of Friday, 2026-06-26 is at 19:11 in Shenzhen.
  expect(describeDay(createTiming([trigger]), '2026-06-27')).toEqual(['01:11 执行'])
})
it('sunrise and sunset in Shenzhen match the almanac', () => {
  const clock = (moment: number | undefined) =>
    new Date(moment! + 8 * hourMs).toISOString().slice(11, 16)
  expect(clock(getSunTime('sunrise', '2026-11-22', shenzhen, timeZone))).toMatch(
    /^06:(39|40|41|42)$/,
  )
  expect(clock(getSunTime('sunset', '2026-11-22', shenzhen, timeZone))).toMatch(
    /^17:(37|38|39|40)$/,
  )
})
it('nothing is due on days without a sunrise', () => {
  const pole = { longitude: 0, latitude: 85 }
  expect(getSunTime('sunrise', '2026-12-21', pole, timeZone)).toBeUndefined()
})

describe('in a zone with summer time', () => {
  const berlin = { timeZone: 'Europe/Berlin', position: { longitude: 13.4, latitude: 52.5 } }
  const listTimes = (trigger: Trigger, from: string, to: string, overrides: Partial<Timing> = {}) =>
    [
      ...dueTimes(
        createTiming([trigger], overrides),
        calendar,
        berlin,
        toEpochMs(from, '00:00', berlin.timeZone) - 1,
        toEpochMs(to, '23:59', berlin.timeZone),
      ),
    ].map(({ at, date, time }) => `${new Date(at).toISOString().slice(5, 16)} = ${date} ${time}`)

  it('a schedule keeps its local time over the change, weekly and by cron', () => {
    const expected = [
      '03-28T17:30 = 2026-03-28 18:30',
      '03-29T16:30 = 2026-03-29 18:30',
      '03-30T16:30 = 2026-03-30 18:30',
    ]
    expect(listTimes(weeklyTrigger('18:30', allWeekdays), '2026-03-28', '2026-03-30')).toEqual(
      expected,
    )
    const cron: Trigger = { kind: 'cron', cron: '30 18 * * *' }
    expect(listTimes(cron, '2026-03-28', '2026-03-30')).toEqual(expected)
  })
  it('a schedule in the skipped hour runs an hour later, and one in the repeated hour runs once', () => {
    const cron: Trigger = { kind: 'cron', cron: '30 2 * * *' }
    for (const trigger of [weeklyTrigger('02:30', allWeekdays), cron]) {
      expect(listTimes(trigger, '2026-03-29', '2026-03-29')).toEqual([
        '03-29T01:30 = 2026-03-29 03:30',
      ])
      expect(listTimes(trigger, '2026-10-25', '2026-10-25')).toEqual([
        '10-25T00:30 = 2026-10-25 02:30',
      ])
    }
  })
  it('sunrise follows the local clock', () => {
    const sunriseTrigger: Trigger = {
      kind: 'sun',
      event: 'sunrise',
      offset: 0,
      weekdays: allWeekdays,
      position: null,
    }
    expect(listTimes(sunriseTrigger, '2026-06-21', '2026-06-21')).toEqual([
      expect.stringMatching(/^06-21T02:4\d = 2026-06-21 04:4\d$/),
    ])
  })
  it('quiet hours follow the local clock', () => {
    const scene = createTiming([{ kind: 'cron', cron: '0 */6 * * *' }], {
      quietFrom: '22:00',
      quietTo: '05:00',
    })
    const [from, to] = ['00:00', '23:59'].map((clock) =>
      toEpochMs('2026-07-01', clock, berlin.timeZone),
    )
    const due = [...dueTimes(scene, calendar, berlin, from! - 1, to!)]
    expect(due.map(({ time, runs }) => `${time} ${runs}`)).toEqual([
      ...['00:00 false', '06:00 true', '12:00 true', '18:00 true'],
    ])
  })
})
