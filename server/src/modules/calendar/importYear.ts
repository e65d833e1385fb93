import type { ImportChange } from '@iot/shared/contract/calendar.schema'
import type { SpecialDay } from '@iot/shared/contract/calendarDay'
import { getPublishedDays } from './publishedHolidays'

/** Returns the year with the adjacent months, because make-up workdays of January may be in the notice of December. */
export const getNoticeRange = (year: number) => ({
  from: `${year - 1}-12-01`,
  to: `${year + 1}-01-31`,
})

/** Returns the changes that an import of a year makes to a calendar; days that a user set manually are kept. */
export function getImportChanges(ownDays: SpecialDay[], year: number): ImportChange[] {
  const { from, to } = getNoticeRange(year)
  const publishedDays = getPublishedDays(from, to)
  const publishedByDate = new Map(publishedDays.map((day) => [day.date, day]))
  const ownByDate = new Map(ownDays.map((day) => [day.date, day]))
  const isSame = (left?: SpecialDay, right?: SpecialDay) =>
    left?.type === right?.type && left?.name === right?.name
  const obsoleteDays = ownDays.filter(
    ({ date, source }) =>
      source === 'imported' && date.startsWith(String(year)) && !publishedByDate.has(date),
  )
  return [...publishedDays, ...obsoleteDays]
    .map(({ date }) => date)
    .filter((date) => !isSame(publishedByDate.get(date), ownByDate.get(date)))
    .sort()
    .map((date) => ({
      date,
      before: ownByDate.get(date) ?? null,
      after: publishedByDate.get(date) ?? null,
      isKept: ownByDate.get(date)?.source === 'manual',
    }))
}
