import { byWeek, type Week } from '@iot/shared/contract/calendarDay'
import type { Timing } from '@iot/shared/contract/scene'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import type { Db } from '../../core/db/db'
import { calendars as calendarsOf } from '../calendar/policy'
import type { Calendar, Day, Site } from './dueTimes'
import { sceneQueries } from './queries'

type Timed = Pick<Timing, 'calendarId'> & { projectId: number }
const usual: Week = { weekendMode: 'double', alternateFrom: null }

/** Reads the calendars and sites of scenes between two moments, each at most once. */
export function openAlmanac(db: Db, from: number, to: number) {
  const calendars = calendarsOf(db)
  const all = calendars.all()
  // A rejection is reported when the calendars are used; this handler only prevents an unhandled rejection.
  all.catch(() => {})
  const years: number[] = []
  const [first, last] = [from - 2 * 86_400_000, to + 2 * 86_400_000].map((at) =>
    new Date(at).getUTCFullYear(),
  )
  for (let year = first!; year <= last!; year++) years.push(year)
  const kept = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, read: () => Promise<T>) => {
    const known = (kept.get(key) as Promise<T> | undefined) ?? read()
    kept.set(key, known)
    return known
  }
  const project = (id: number) => once(`project ${id}`, () => sceneQueries(db).project(id))

  /** Returns the calendar of the scene or else of its project; the built-in calendar `standard` is the fallback. */
  async function calendarRow({ calendarId, projectId }: Timed) {
    const rows = await all
    const wanted = calendarId ?? (await project(projectId))?.calendarId
    return rows.find(({ id }) => id === wanted) ?? rows.find(({ code }) => code === 'standard')
  }
  return {
    calendarRow,
    async calendar(scene: Timed): Promise<Calendar> {
      const row = await calendarRow(scene)
      const byDate = row
        ? await once(row.id, async () => {
            const days = await Promise.all(years.map((year) => calendars.year(row, year)))
            return new Map<string, Day>(days.flat().map((day) => [day.date, day]))
          })
        : new Map<string, Day>()
      return (date) => byDate.get(date) ?? weekDay(date, row ?? usual)
    },
    async site({ projectId }: Timed): Promise<Site> {
      const row = await project(projectId)
      const { longitude, latitude } = row ?? {}
      const isPlaced = typeof longitude === 'number' && typeof latitude === 'number'
      return {
        timeZone: row?.timeZone ?? platformTimeZone,
        position: isPlaced ? { longitude, latitude } : null,
      }
    },
    projectName: async (id: number) => (await project(id))?.name ?? '',
  }
}
export type Almanac = ReturnType<typeof openAlmanac>

export const weekDay = (date: string, week: Week): Day => ({
  type: byWeek(date, week),
  name: '',
  source: 'week',
})
