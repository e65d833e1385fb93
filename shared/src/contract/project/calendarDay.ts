import { dayMs } from '../duration'

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
export type WeekendRule = { weekendMode: WeekendMode; alternateFrom: string | null }
export type SpecialDay = {
  date: string
  type: DayType
  name: string
  isOff: boolean
  source: 'manual' | 'imported'
}

/** Returns true if the day type is a day off; a `custom` day carries its own flag. */
export const isDayOff = (type: DayType, isCustomDayOff = false) =>
  type === 'custom' ? isCustomDayOff : type === 'statutory' || type === 'lieu' || type === 'weekend'

const toDayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs
const fromDayNumber = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)

export const shiftDate = (date: string, days: number) => fromDayNumber(toDayNumber(date) + days)

/** Returns the weekday from 1 (Monday) to 7 (Sunday). */
export const getWeekday = (date: string) => new Date(toDayNumber(date) * dayMs).getUTCDay() || 7
const weekdayNames = ['', ...'一二三四五六日'].map((day) => day && `周${day}`)
export const getWeekdayName = (date: string) => weekdayNames[getWeekday(date)]!

/** Formats weekdays as `周一至周五`, `每天` or `周一、周三`. */
export function formatWeekdays(weekdays: readonly number[]) {
  const days = [...new Set(weekdays)].sort()
  if (days.length === 7) return '每天'
  const isConsecutive = days.length > 2 && days.at(-1)! - days[0]! === days.length - 1
  return isConsecutive
    ? `${weekdayNames[days[0]!]}至${weekdayNames[days.at(-1)!]}`
    : days.map((day) => weekdayNames[day]).join('、')
}

const getMondayNumber = (date: string) => toDayNumber(date) - getWeekday(date) + 1

/** Returns the type that the week alone gives a date. */
export function getWeekDayType(
  date: string,
  { weekendMode, alternateFrom }: WeekendRule,
): 'workday' | 'weekend' {
  const weekday = getWeekday(date)
  if (weekday === 7) return 'weekend'
  if (weekday < 6 || weekendMode === 'single') return 'workday'
  if (weekendMode === 'double' || !alternateFrom) return 'weekend'
  const weeks = Math.abs(getMondayNumber(date) - getMondayNumber(alternateFrom)) / 7
  return weeks % 2 === 0 ? 'weekend' : 'workday'
}

/** Returns all dates from the first to the last, both included. */
export const datesBetween = (from: string, to: string) => {
  const firstDayNumber = toDayNumber(from)
  return Array.from({ length: Math.max(0, toDayNumber(to) - firstDayNumber + 1) }, (_, n) =>
    fromDayNumber(firstDayNumber + n),
  )
}
export const listDatesInYear = (year: number) => datesBetween(`${year}-01-01`, `${year}-12-31`)
