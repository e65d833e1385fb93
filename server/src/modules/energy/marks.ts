import { and, asc, between, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { energyMark as table } from '../../tables/energy'
import { ofFloors } from './queries'

const minute = 60_000
const day = 24 * 60 * minute
const zoneOffset = 8 * 60 * minute
/** Marks are made every ten minutes; between those that are further apart nobody looked. */
const apart = 25 * minute
const kept = 3 * day

/** When the day of Shanghai began. */
const midnightOf = (at: number) => Math.floor((at + zoneOffset) / day) * day - zoneOffset
const text = (at: number) => new Date(at).toISOString()

/** Writes down what each project has used of its day. */
export async function mark(db: Db, at = Date.now()) {
  const date = text(midnightOf(at) + zoneOffset).slice(0, 10)
  await db.execute(sql`
    insert into energy_mark (project_id, time, watt_hours)
    select project_id, ${text(at)}::timestamptz, sum(coalesce(measured, 0) + coalesce(reckoned, 0))
    from (${ofFloors(sql`e.day = ${date}::date`)}) as floor
    where coalesce(measured, reckoned) is not null group by project_id
    on conflict do nothing`)
  await db.delete(table).where(lt(table.time, text(at - kept)))
}

/** What a project had used of its day by then; null where nobody looked around that time. */
export async function usedBy(db: Db, projectId: number, at: number): Promise<number | null> {
  const midnight = midnightOf(at)
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.projectId, projectId),
        between(table.time, text(Math.max(midnight, at - apart)), text(at + apart)),
        lt(table.time, text(midnight + day)),
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
