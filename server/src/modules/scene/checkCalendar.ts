import { canUseCalendar } from '@iot/shared/contract/project/calendar'
import type { Db } from '../../core/db/db'
import { createCalendarLookup } from './calendarLookup'

/** Returns the site of the project, and an error message if the calendar does not exist for it. */
export async function checkCalendar(
  db: Db,
  { calendarId }: { calendarId: string | null },
  projectId: number,
) {
  const calendarLookup = createCalendarLookup(db, Date.now(), Date.now())
  const row = await calendarLookup.calendarRow({ calendarId, projectId })
  const errors: Record<string, string> =
    calendarId && !(row?.id === calendarId && canUseCalendar(projectId, row))
      ? { calendarId: '所选日历不存在或已被删除' }
      : {}
  return { site: await calendarLookup.site({ calendarId, projectId }), wrong: errors }
}
