import { dayMs } from '@iot/shared/contract/duration'
import { previewDays } from '@iot/shared/contract/control/scene'
import type { sceneSchemas } from '@iot/shared/contract/control/scene.schema'
import { toZonedDate } from '@iot/shared/contract/timeZone'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { createFieldsRefusal } from '../../core/refusal'
import { isPublished } from '../calendar/policy'
import { findProject, getProjectRefusal } from '../project/policy'
import { createCalendarLookup } from './calendarLookup'
import { checkCalendar } from './checkCalendar'
import { dueTimes, type DueMoment } from './dueTimes'
import { refuseTiming } from './policy'
import { sceneQueries } from './queries'

type PreviewInput = z.output<typeof sceneSchemas.preview.input>
const previewMs = previewDays * dayMs
const maxPreviewed = 500

/** Lists when a scene with this timing, saved or not, would start in the next days. */
export async function previewRuns(db: Db, { projectId, id, ...timing }: PreviewInput) {
  await findProject(db, projectId)
  const { site, wrong: calendarErrors } = await checkCalendar(db, timing, projectId)
  const timers = timing.triggers.map((trigger) =>
    // Conditions depend on future device reports, so they cannot be previewed.
    trigger.kind === 'condition' ? { ...trigger, conditions: [] } : trigger,
  )
  const emptyFacts = {
    devices: [],
    spaces: [],
    models: new Map(),
    types: new Map(),
    groups: new Map(),
    position: site.position,
  }
  const fields = {
    ...calendarErrors,
    ...refuseTiming({ ...timing, triggers: timers }, emptyFacts),
  }
  if (Object.keys(fields).length > 0) throw createFieldsRefusal(fields)
  const from = Date.now()
  const to = from + previewMs
  const calendarLookup = createCalendarLookup(db, from, to)
  const calendar = await calendarLookup.calendar({ ...timing, projectId })
  const list: DueMoment[] = []
  const lastRunTime = id ? (await sceneQueries(db).getLastRunTimes([id])).get(id) : undefined
  for (const dueTime of dueTimes(timing, calendar, site, from, to, lastRunTime))
    if (list.push(dueTime) > maxPreviewed) break
  const years = [
    ...new Set([from, to].map((timeMs) => Number(toZonedDate(timeMs, site.timeZone).slice(0, 4)))),
  ]
  return {
    list: list.slice(0, maxPreviewed),
    held: (await getProjectRefusal(db, projectId, 'schedule')) ?? '',
    more: list.length > maxPreviewed,
    unpublished: years.filter((year) => timing.dayMode !== 'ignore' && !isPublished(year)),
  }
}
