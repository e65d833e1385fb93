import {
  getWeekDayType,
  datesBetween,
  listDatesInYear,
  getWeekdayName,
  type WeekendRule,
} from './calendarDay'

const createWeekendRule = (
  weekendMode: WeekendRule['weekendMode'],
  alternateFrom: string | null = null,
) => ({
  weekendMode,
  alternateFrom,
})

test('a year contains all its days, also in leap years and in any time zone', () => {
  expect(listDatesInYear(2024)).toHaveLength(366)
  expect(listDatesInYear(2026)).toHaveLength(365)
  expect(listDatesInYear(2026).at(-1)).toBe('2026-12-31')
  expect(datesBetween('2026-12-30', '2027-01-02')).toHaveLength(4)
  expect(datesBetween('2026-12-30', '2026-12-29')).toEqual([])
})

test.each([
  ['2026-11-20', '周五', 'workday', 'workday'],
  ['2026-11-21', '周六', 'weekend', 'workday'],
  ['2026-11-22', '周日', 'weekend', 'weekend'],
])('%s is %s: %s with two days off, %s with one', (date, weekday, double, single) => {
  expect(getWeekdayName(date)).toBe(weekday)
  expect(getWeekDayType(date, createWeekendRule('double'))).toBe(double)
  expect(getWeekDayType(date, createWeekendRule('single'))).toBe(single)
})

test('alternating weeks follow the named one in both directions, also across the year', () => {
  const alternate = createWeekendRule('alternate', '2026-12-30')
  const saturdays = ['2026-12-19', '2026-12-26', '2027-01-02', '2027-01-09', '2027-01-16']
  expect(saturdays.map((date) => getWeekDayType(date, alternate))).toEqual([
    'weekend',
    'workday',
    'weekend',
    'workday',
    'weekend',
  ])
  expect(getWeekDayType('2027-01-10', alternate)).toBe('weekend')
})
