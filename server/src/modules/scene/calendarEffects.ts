import type { CalendarEffect } from '@iot/shared/contract/control/scene.schema'
import { createTree } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { requireRow, createMissingRefusal } from '../../core/refusal'
import { createCalendarReader } from '../calendar/policy'
import { createCalendarLookup, getWeekDay } from './calendarLookup'
import { formatDay, dueTimes, type Calendar, type DueMoment } from './dueTimes'
import { sceneQueries } from './queries'

/**
 * Lists the start times that a calendar adds to or removes from scenes, compared with weekdays alone.
 * @throws "not found" if the calendar does not exist or belongs to a project outside the scope
 */
export async function getCalendarEffects(
  db: Db,
  calendarId: string,
  scope: 'all' | number[],
  from: number,
  to: number,
): Promise<CalendarEffect[]> {
  const calendarLookup = createCalendarLookup(db, from, to)
  const tree = createTree(await createCalendarReader(db).listAll())
  const { projectId: ownerProjectId } = requireRow(tree.get(calendarId), '日历')
  if (ownerProjectId !== null && scope !== 'all' && !scope.includes(ownerProjectId))
    throw createMissingRefusal('日历')
  const effects: CalendarEffect[] = []
  for (const scene of await sceneQueries(db).listTimed(scope)) {
    const row = await calendarLookup.calendarRow(scene)
    // A day of a parent calendar also applies to its child calendars.
    if (
      scene.dayMode === 'ignore' ||
      !row ||
      !tree.path(row.id).some(({ id }) => id === calendarId)
    )
      continue
    const calendar = await calendarLookup.calendar(scene)
    const site = await calendarLookup.site(scene)
    const groupRunsByDate = (calendarToUse: Calendar) => {
      const byDate = new Map<string, DueMoment[]>()
      for (const dueTime of dueTimes(scene, calendarToUse, site, from, to))
        if (dueTime.runs) byDate.set(dueTime.date, [...(byDate.get(dueTime.date) ?? []), dueTime])
      return byDate
    }
    const [actualRuns, weekdayRuns] = [
      groupRunsByDate(calendar),
      groupRunsByDate((date) => getWeekDay(date, row)),
    ]
    for (const date of [...new Set([...actualRuns.keys(), ...weekdayRuns.keys()])].sort()) {
      const getTimes = (runsByDate: ReadonlyMap<string, DueMoment[]>) =>
        (runsByDate.get(date) ?? []).map(({ time }) => time)
      const [actualTimes, weekdayTimes] = [getTimes(actualRuns), getTimes(weekdayRuns)]
      const addedTimes = actualTimes.filter((time) => !weekdayTimes.includes(time))
      const removedTimes = weekdayTimes.filter((time) => !actualTimes.includes(time))
      const effectFields = {
        sceneId: scene.id,
        name: scene.name,
        date,
        reason: formatDay(date, calendar(date)),
        projectName: await calendarLookup.projectName(scene.projectId),
      }
      if (addedTimes.length > 0) effects.push({ ...effectFields, times: addedTimes, runs: true })
      if (removedTimes.length > 0)
        effects.push({ ...effectFields, times: removedTimes, runs: false })
    }
  }
  return effects.sort((a, b) => a.date.localeCompare(b.date))
}
