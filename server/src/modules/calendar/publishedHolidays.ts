import type { SpecialDay } from '@iot/shared/contract/project/calendarDay'
import { createRequire } from 'node:module'

type EntriesByDate = Record<string, string>
// The functions of the package read the same file but do not distinguish a holiday from a day off in lieu by date.
const { holidays, workdays, inLieuDays } = createRequire(import.meta.url)(
  'chinese-days/dist/chinese-days.json',
) as { holidays: EntriesByDate; workdays: EntriesByDate; inLieuDays: EntriesByDate }

const parseHolidayName = (entry: string) => entry.split(',')[1] ?? ''
const toSpecialDay = (date: string, entry: string, type: SpecialDay['type']): SpecialDay => ({
  date,
  type,
  name: parseHolidayName(entry) + (type === 'makeup' ? '调休' : ''),
  isOff: type !== 'makeup',
  source: 'imported',
})
const allPublishedDays: SpecialDay[] = [
  ...Object.entries(holidays).map(([date, entry]) =>
    toSpecialDay(date, entry, date in inLieuDays ? 'lieu' : 'statutory'),
  ),
  ...Object.entries(workdays).map(([date, entry]) => toSpecialDay(date, entry, 'makeup')),
].sort((a, b) => (a.date < b.date ? -1 : 1))

/**
 * Returns whether the package contains the State Council's notice of a year. A date in January alone may come from the
 * notice of the year before, so October 1 is checked.
 */
export const isPublished = (year: number) => `${year}-10-01` in holidays
export const getPublishedYears = () =>
  [...new Set(allPublishedDays.map(({ date }) => Number(date.slice(0, 4))))].filter(isPublished)

/**
 * Returns the published days between two dates, both included. Source: npm package chinese-days, which follows the
 * notices of the State Council.
 */
export const getPublishedDays = (from: string, to: string) =>
  allPublishedDays.filter(({ date }) => date >= from && date <= to)
