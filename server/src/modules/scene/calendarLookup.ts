import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { dayMs } from '@iot/shared/contract/duration'
import { getWeekDayType, type WeekendRule } from '@iot/shared/contract/project/calendarDay'
import type { Timing } from '@iot/shared/contract/control/scene.schema'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import type { Db } from '../../core/db/db'
import { createCalendarReader as calendarsOf } from '../calendar/policy'
import type { Calendar, Day, Site } from './dueTimes'
import { sceneQueries } from './queries'

type SceneCalendarKey = Pick<Timing, 'calendarId'> & { projectId: number }
const defaultWeek: WeekendRule = { weekendMode: 'double', alternateFrom: null }

/** Reads the calendars and sites of scenes between two moments, each at most once. */
export function createCalendarLookup(db: Db, from: number, to: number) {
  const calendars = calendarsOf(db)
  const allCalendars = calendars.listAll()
  // A rejection is reported when the calendars are used; this handler only prevents an unhandled rejection.
  allCalendars.catch(() => {})
  const years: number[] = []
  const [first, last] = [from - 2 * dayMs, to + 2 * dayMs].map((timeMs) =>
    new Date(timeMs).getUTCFullYear(),
  )
  for (let year = first!; year <= last!; year++) years.push(year)
  const readProject = createSingleFlight((id: number) => sceneQueries(db).findProject(id), {
    keepsResults: true,
  })

  const readDays = createSingleFlight(
    async (_id: string, row: Parameters<typeof calendars.listYear>[0]) => {
      const days = await Promise.all(years.map((year) => calendars.listYear(row, year)))
      return new Map<string, Day>(days.flat().map((day) => [day.date, day]))
    },
    { keepsResults: true },
  )

  /** Returns the calendar of the scene or else of its project; the built-in calendar `standard` is the fallback. */
  async function calendarRow({ calendarId, projectId }: SceneCalendarKey) {
    const rows = await allCalendars
    const requestedCalendarId = calendarId ?? (await readProject(projectId))?.calendarId
    return (
      rows.find(({ id }) => id === requestedCalendarId) ??
      rows.find(({ code }) => code === 'standard')
    )
  }
  return {
    calendarRow,
    async calendar(scene: SceneCalendarKey): Promise<Calendar> {
      const row = await calendarRow(scene)
      const byDate = row ? await readDays(row.id, row) : new Map<string, Day>()
      return (date) => byDate.get(date) ?? getWeekDay(date, row ?? defaultWeek)
    },
    async site({ projectId }: SceneCalendarKey): Promise<Site> {
      const row = await readProject(projectId)
      const { longitude, latitude } = row ?? {}
      const hasPosition = typeof longitude === 'number' && typeof latitude === 'number'
      return {
        timeZone: row?.timeZone ?? platformTimeZone,
        position: hasPosition ? { longitude, latitude } : null,
      }
    },
    projectName: async (id: number) => (await readProject(id))?.name ?? '',
  }
}
export type CalendarLookup = ReturnType<typeof createCalendarLookup>

export const getWeekDay = (date: string, week: WeekendRule): Day => ({
  type: getWeekDayType(date, week),
  name: '',
  source: 'week',
})
