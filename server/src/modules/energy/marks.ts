import { shiftDate } from '@iot/shared/contract/calendarDay'
import { toMoment, toZonedDate } from '@iot/shared/contract/timeZone'
import { and, asc, between, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { energyMark as table } from '../../tables/energy'
import { project } from '../../tables/project'
import { ofFloors } from './queries'

const minute = 60_000
const day = 24 * 60 * minute
/** Marks are written every ten minutes; a larger gap than this means that no process was running. */
const apart = 25 * minute
const kept = 3 * day

const text = (at: number) => new Date(at).toISOString()

/** Records the energy that each project has used of its day so far, in watt-hours. */
export async function mark(db: Db, at = Date.now()) {
  const zones = await db.selectDistinct({ timeZone: project.timeZone }).from(project)
  for (const { timeZone } of zones)
    await db.execute(sql`
      insert into energy_mark (project_id, time, watt_hours)
      select project_id, ${text(at)}::timestamptz, sum(coalesce(measured, 0) + coalesce(reckoned, 0))
      from (${ofFloors(sql`e.day = ${toZonedDate(at, timeZone)}::date
        and e.project_id in (select id from project where time_zone = ${timeZone})`)}) as floor
      where coalesce(measured, reckoned) is not null group by project_id
      on conflict do nothing`)
  await db.delete(table).where(lt(table.time, text(at - kept)))
}

type Project = { projectId: number; timeZone: string }

/**
 * Returns the energy in watt-hours that a project had used of its day by a moment, interpolated between marks; null if
 * no mark is near.
 */
export async function usedBy(db: Db, { projectId, timeZone }: Project, at: number) {
  const date = toZonedDate(at, timeZone)
  const midnight = toMoment(date, '00:00', timeZone)
  const nextMidnight = toMoment(shiftDate(date, 1), '00:00', timeZone)
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.projectId, projectId),
        between(table.time, text(Math.max(midnight, at - apart)), text(at + apart)),
        lt(table.time, text(nextMidnight)),
      ),
    )
    .orderBy(asc(table.time))
  const marks = rows.map((row) => ({ at: Date.parse(row.time), wattHours: row.wattHours }))
  if (marks.length > 0 && at - midnight <= apart) marks.unshift({ at: midnight, wattHours: 0 })
  const before = marks.findLast((one) => one.at <= at)
  const after = marks.find((one) => one.at > at)
  if (!before || !after) return before?.wattHours ?? null
  const part = (at - before.at) / (after.at - before.at)
  return before.wattHours + (after.wattHours - before.wattHours) * part
}
