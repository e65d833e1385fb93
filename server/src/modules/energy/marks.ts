import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import { shiftDate } from '@iot/shared/contract/project/calendarDay'
import { toEpochMs, toZonedDate } from '@iot/shared/contract/timeZone'
import { and, asc, between, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { energyMark as table } from '../../tables/energy'
import { project } from '../../tables/project'
import { selectFloorEnergy } from './queries'

/** Marks are written every ten minutes; a larger gap than this means that no process was running. */
const maxMarkGapMs = 25 * minuteMs
const markRetentionMs = 3 * dayMs

const toIsoText = (timeMs: number) => new Date(timeMs).toISOString()

/** Records the energy that each project has used of its day so far, in watt-hours. */
export async function recordMarks(db: Db, momentMs = Date.now()) {
  const zones = await db.selectDistinct({ timeZone: project.timeZone }).from(project)
  for (const { timeZone } of zones)
    await db.execute(sql`
      insert into energy_mark (project_id, time, watt_hours)
      select project_id, ${toIsoText(momentMs)}::timestamptz, sum(coalesce(measured, 0) + coalesce(reckoned, 0))
      from (${selectFloorEnergy(sql`e.day = ${toZonedDate(momentMs, timeZone)}::date
        and e.project_id in (select id from project where time_zone = ${timeZone})`)}) as floor
      where coalesce(measured, reckoned) is not null group by project_id
      on conflict do nothing`)
  await db.delete(table).where(lt(table.time, toIsoText(momentMs - markRetentionMs)))
}

type Project = { projectId: number; timeZone: string }

/**
 * Returns the energy in watt-hours that a project had used of its day by a moment, interpolated between marks; null if
 * no mark is near.
 */
export async function estimateUsedEnergy(
  db: Db,
  { projectId, timeZone }: Project,
  momentMs: number,
) {
  const date = toZonedDate(momentMs, timeZone)
  const midnight = toEpochMs(date, '00:00', timeZone)
  const nextMidnight = toEpochMs(shiftDate(date, 1), '00:00', timeZone)
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.projectId, projectId),
        between(
          table.time,
          toIsoText(Math.max(midnight, momentMs - maxMarkGapMs)),
          toIsoText(momentMs + maxMarkGapMs),
        ),
        lt(table.time, toIsoText(nextMidnight)),
      ),
    )
    .orderBy(asc(table.time))
  const marks = rows.map((row) => ({ at: Date.parse(row.time), wattHours: row.wattHours }))
  if (marks.length > 0 && momentMs - midnight <= maxMarkGapMs)
    marks.unshift({ at: midnight, wattHours: 0 })
  const previousMark = marks.findLast((mark) => mark.at <= momentMs)
  const nextMark = marks.find((mark) => mark.at > momentMs)
  if (!previousMark || !nextMark) return previousMark?.wattHours ?? null
  const fraction = (momentMs - previousMark.at) / (nextMark.at - previousMark.at)
  return previousMark.wattHours + (nextMark.wattHours - previousMark.wattHours) * fraction
}
