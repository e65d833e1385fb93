import { isCalendarFor, type Calendar } from '@iot/shared/contract/calendar'
import type { Db } from '../../core/db/db'
import { calendarQueries } from './queries'

export { isPublished } from './published'

/** Gives other modules the calendars and the days of a year in each of them. */
export const calendars = (db: Db) => {
  const rows = calendarQueries(db)
  return {
    all: () => rows.all(),
    year: (own: Calendar, year: number) => rows.year(own, year),
    /** Lists the calendars that a project may use. */
    forProject: async (projectId: number) =>
      (await rows.all()).filter((one) => isCalendarFor(projectId, one)),
  }
}
