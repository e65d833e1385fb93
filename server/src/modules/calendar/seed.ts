import type { Db } from '../../core/db/db'
import { calendar } from '../../tables/calendar'
import { getPublishedDays } from './publishedHolidays'
import { calendarQueries } from './queries'

const systemActor = '系统'

/** Creates the built-in calendar with the holidays published so far. */
export async function seedCalendars(db: Db, year = new Date().getFullYear()) {
  const rows = calendarQueries(db)
  const [existingCalendar] = await db.select({ id: calendar.id }).from(calendar).limit(1)
  if (existingCalendar) return
  const standardCalendar = await rows.insert(
    {
      name: '标准日历',
      code: 'standard',
      parentId: null,
      projectId: null,
      weekendMode: 'double',
      alternateFrom: null,
      description: '双休，按国务院放假安排',
      builtin: true,
    },
    systemActor,
  )
  await rows.setDays(
    standardCalendar.id,
    getPublishedDays(`${year - 1}-01-01`, `${year + 1}-12-31`),
    systemActor,
  )
}
