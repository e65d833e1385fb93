import type { FileDay, ImportChange } from '@iot/shared/contract/project/calendar.schema'
import { isDayOff, type SpecialDay } from '@iot/shared/contract/project/calendarDay'
import { getPublishedDays } from './publishedHolidays'

/** Returns the year with the adjacent months, because make-up workdays of January may be in the notice of December. */
export const getNoticeRange = (year: number) => ({
  from: `${year - 1}-12-01`,
  to: `${year + 1}-01-31`,
})

/** A day as the calendar has stored it. */
type OwnDay = SpecialDay & { version: number }

const isSame = (left?: SpecialDay, right?: SpecialDay) =>
  left?.type === right?.type && left?.name === right?.name && left?.isOff === right?.isOff

/** Returns the changes that new days make to a calendar; days that a user set manually are kept. */
function compareDays(ownDays: OwnDay[], newDays: SpecialDay[], dates: string[]): ImportChange[] {
  const newByDate = new Map(newDays.map((day) => [day.date, day]))
  const ownByDate = new Map(ownDays.map((day) => [day.date, day]))
  return dates
    .filter((date) => !isSame(newByDate.get(date), ownByDate.get(date)))
    .sort()
    .map((date) => ({
      date,
      before: ownByDate.get(date) ?? null,
      after: newByDate.get(date) ?? null,
      isKept: ownByDate.get(date)?.source === 'manual',
      version: ownByDate.get(date)?.version ?? 0,
    }))
}

/** Returns the changes that an import of a year makes; imported days that are no longer published are cleared. */
export function getImportChanges(ownDays: OwnDay[], year: number): ImportChange[] {
  const { from, to } = getNoticeRange(year)
  const publishedDays = getPublishedDays(from, to)
  const publishedDates = new Set(publishedDays.map(({ date }) => date))
  const obsoleteDays = ownDays.filter(
    ({ date, source, type }) =>
      source === 'imported' &&
      // A type of the user's own comes from a file and is no public holiday.
      type !== 'custom' &&
      date.startsWith(String(year)) &&
      !publishedDates.has(date),
  )
  const dates = [...publishedDays, ...obsoleteDays].map(({ date }) => date)
  return compareDays(ownDays, publishedDays, dates)
}

/** Returns the changes that the days of a file make; dates that the file does not name stay as they are. */
export const getFileChanges = (ownDays: OwnDay[], days: SpecialDay[]): ImportChange[] =>
  compareDays(
    ownDays,
    days,
    days.map(({ date }) => date),
  )

export const toSpecialDays = (days: FileDay[]): SpecialDay[] =>
  days.map(({ date, type, name, isOff }) => ({
    date,
    type,
    name,
    isOff: isDayOff(type, isOff),
    source: 'imported',
  }))
