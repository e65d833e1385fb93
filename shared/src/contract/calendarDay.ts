/** Day types of a calendar. Dates are `YYYY-MM-DD` and belong to no time zone. */
export const dayTypeText = {
  statutory: '法定节假日',
  lieu: '调休放假',
  makeup: '调休上班',
  workday: '工作日',
  weekend: '周末',
  custom: '自定义',
} as const
export type DayType = keyof typeof dayTypeText
export const weekendModeText = { double: '双休', single: '单休', alternate: '大小周' } as const
export type WeekendMode = keyof typeof weekendModeText

/** `alternateFrom` is a day of any week with two days off; weeks with two and one day off alternate from there. */
export type Week = { weekendMode: WeekendMode; alternateFrom: string | null }
export type SpecialDay = {
  date: string
  type: DayType
  name: string
  isOff: boolean
  source: 'manual' | 'imported'
}

/** Returns true if the day type is a day off; a `custom` day carries its own flag. */
export const isOffBy = (type: DayType, own = false) =>
  type === 'custom' ? own : type === 'statutory' || type === 'lieu' || type === 'weekend'

const DAY = 86_400_000
const numberOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY
const dateOf = (number: number) => new Date(number * DAY).toISOString().slice(0, 10)

export const shiftDate = (date: string, days: number) => dateOf(numberOf(date) + days)

/** Returns the weekday from 1 (Monday) to 7 (Sunday). */
export const weekdayOf = (date: string) => new Date(numberOf(date) * DAY).getUTCDay() || 7
const weekdayNames = ['', ...'一二三四五六日'].map((day) => day && `周${day}`)
export const weekdayNameOf = (date: string) => weekdayNames[weekdayOf(date)]!

/** Formats weekdays as `周一至周五`, `每天` or `周一、周三`. */
export function wordsOfWeekdays(weekdays: readonly number[]) {
  const days = [...new Set(weekdays)].sort()
  if (days.length === 7) return '每天'
  const isRow = days.length > 2 && days.at(-1)! - days[0]! === days.length - 1
  return isRow
    ? `${weekdayNames[days[0]!]}至${weekdayNames[days.at(-1)!]}`
    : days.map((day) => weekdayNames[day]).join('、')
}

const mondayOf = (date: string) => numberOf(date) - weekdayOf(date) + 1

/** Returns the type that the week alone gives a date. */
export function byWeek(date: string, { weekendMode, alternateFrom }: Week): 'workday' | 'weekend' {
  const weekday = weekdayOf(date)
  if (weekday === 7) return 'weekend'
  if (weekday < 6 || weekendMode === 'single') return 'workday'
  if (weekendMode === 'double' || !alternateFrom) return 'weekend'
  const weeks = Math.abs(mondayOf(date) - mondayOf(alternateFrom)) / 7
  return weeks % 2 === 0 ? 'weekend' : 'workday'
}

/** Returns all dates from the first to the last, both included. */
export const datesBetween = (from: string, to: string) => {
  const first = numberOf(from)
  return Array.from({ length: Math.max(0, numberOf(to) - first + 1) }, (_, n) => dateOf(first + n))
}
export const datesOf = (year: number) => datesBetween(`${year}-01-01`, `${year}-12-31`)
