import type { ImportChange } from '@iot/shared/contract/calendar'
import type { SpecialDay } from '@iot/shared/contract/calendarDay'
import { publishedBetween } from './published'

/** Returns the year with the adjacent months, because make-up workdays of January may be in the notice of December. */
export const around = (year: number) => ({ from: `${year - 1}-12-01`, to: `${year + 1}-01-31` })

/** Returns the changes that an import of a year makes to a calendar; days that a user set manually are kept. */
export function importChanges(own: SpecialDay[], year: number): ImportChange[] {
  const { from, to } = around(year)
  const published = publishedBetween(from, to)
  const wanted = new Map(published.map((day) => [day.date, day]))
  const held = new Map(own.map((day) => [day.date, day]))
  const isSame = (one?: SpecialDay, other?: SpecialDay) =>
    one?.type === other?.type && one?.name === other?.name
  const dropped = own.filter(
    ({ date, source }) =>
      source === 'imported' && date.startsWith(String(year)) && !wanted.has(date),
  )
  return [...published, ...dropped]
    .map(({ date }) => date)
    .filter((date) => !isSame(wanted.get(date), held.get(date)))
    .sort()
    .map((date) => ({
      date,
      before: held.get(date) ?? null,
      after: wanted.get(date) ?? null,
      isKept: held.get(date)?.source === 'manual',
    }))
}
