import type { CalendarEffect } from '@iot/shared/contract/scene'
import { treeOf } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { found, missing } from '../../core/refusal'
import { calendars } from '../calendar/policy'
import { openAlmanac, weekDay } from './almanac'
import { dayText, dueTimes, type Calendar, type Moment } from './dueTimes'
import { sceneQueries } from './queries'

/**
 * Lists the start times that a calendar adds to or removes from scenes, compared with weekdays alone.
 * @throws "not found" if the calendar does not exist or belongs to a project outside the scope
 */
export async function calendarEffects(
  db: Db,
  calendarId: string,
  scope: 'all' | number[],
  from: number,
  to: number,
): Promise<CalendarEffect[]> {
  const almanac = openAlmanac(db, from, to)
  const tree = treeOf(await calendars(db).all())
  const { projectId: owner } = found(tree.get(calendarId), '日历')
  if (owner !== null && scope !== 'all' && !scope.includes(owner)) throw missing('日历')
  const effects: CalendarEffect[] = []
  for (const scene of await sceneQueries(db).timed(scope)) {
    const row = await almanac.calendarRow(scene)
    // A day of a parent calendar also applies to its child calendars.
    if (
      scene.dayMode === 'ignore' ||
      !row ||
      !tree.path(row.id).some(({ id }) => id === calendarId)
    )
      continue
    const calendar = await almanac.calendar(scene)
    const site = await almanac.site(scene)
    const runsBy = (by: Calendar) => {
      const byDate = new Map<string, Moment[]>()
      for (const due of dueTimes(scene, by, site, from, to))
        if (due.runs) byDate.set(due.date, [...(byDate.get(due.date) ?? []), due])
      return byDate
    }
    const [is, would] = [runsBy(calendar), runsBy((date) => weekDay(date, row))]
    for (const date of [...new Set([...is.keys(), ...would.keys()])].sort()) {
      const times = (some: ReadonlyMap<string, Moment[]>) =>
        (some.get(date) ?? []).map(({ time }) => time)
      const [now, usual] = [times(is), times(would)]
      const added = now.filter((time) => !usual.includes(time))
      const gone = usual.filter((time) => !now.includes(time))
      const about = {
        sceneId: scene.id,
        name: scene.name,
        date,
        reason: dayText(date, calendar(date)),
        projectName: await almanac.projectName(scene.projectId),
      }
      if (added.length > 0) effects.push({ ...about, times: added, runs: true })
      if (gone.length > 0) effects.push({ ...about, times: gone, runs: false })
    }
  }
  return effects.sort((one, other) => one.date.localeCompare(other.date))
}
