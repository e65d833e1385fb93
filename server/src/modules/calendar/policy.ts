import { canUseCalendar } from '@iot/shared/contract/project/calendar'
import type { Calendar } from '@iot/shared/contract/project/calendar.schema'
import type { Db } from '../../core/db/db'
import { calendarQueries } from './queries'

export { isPublished } from './publishedHolidays'

/** Gives other modules the calendars and the days of a year in each of them. */
export const createCalendarReader = (db: Db) => {
  const rows = calendarQueries(db)
  return {
    listAll: () => rows.listAll(),
    listYear: (calendar: Calendar, year: number) => rows.listYear(calendar, year),
    /** Lists the calendars that a project may use. */
    listForProject: async (projectId: number) =>
      (await rows.listAll()).filter((candidate) => canUseCalendar(projectId, candidate)),
  }
}
