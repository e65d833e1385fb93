import { isCalendarFor, type Calendar } from '@iot/shared/contract/calendar'
import type { Db } from '../../core/db/db'
import { calendarQueries } from './queries'

export { isPublished } from './published'

/** What other modules ask of calendars: which there are, and what each makes of the days of a year. */
export const calendars = (db: Db) => {
  const rows = calendarQueries(db)
  return {
    all: () => rows.all(),
    year: (own: Calendar, year: number) => rows.year(own, year),
    /** Those a project may follow. */
    forProject: async (projectId: number) =>
      (await rows.all()).filter((one) => isCalendarFor(projectId, one)),
  }
}
