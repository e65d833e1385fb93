import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { sqlState } from '../core/db/outage'

const day = 24 * 3600_000
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const overlaps = '42P17'
/** Another process made it in the same moment. */
const madeMeanwhile = ['23505', '42P07', overlaps]

/** Whether the table has parts of ours. A hypertable of TimescaleDB, or a table Citus distributed, looks after itself. */
async function isParted(db: Db) {
  const { rows } = await db.execute<{ kind: string }>(
    sql`select relkind as kind from pg_class where oid = to_regclass('property_history')`,
  )
  return rows[0]?.kind === 'p'
}

/** The history lies in one part for each day, by UTC, so that what is old goes as a whole. */
export function openHistoryParts(db: Db) {
  let parted: boolean | undefined
  let ready = new Set<string>()
  return {
    /** Before rows of these times are written; a part for tomorrow is made the day before. */
    async prepare(times: Iterable<number>) {
      parted ??= await isParted(db)
      if (!parted) return
      const dates = new Set([Date.now() + day, ...times].map(dateOf))
      for (const date of dates) {
        if (ready.has(date)) continue
        await makePart(db, date)
        ready.add(date)
      }
    },
    /** What was made may be gone: of a database that came back, or of another one. */
    forget() {
      parted = undefined
      ready = new Set()
    },
  }
}

async function makePart(db: Db, date: string) {
  const name = `property_history_${date.replaceAll('-', '')}`
  const next = dateOf(Date.parse(date) + day)
  await db
    .execute(
      sql.raw(
        `create table if not exists ${name} partition of property_history for values from ('${date}T00:00:00Z') to ('${next}T00:00:00Z')`,
      ),
    )
    .catch((error: unknown) => {
      if (!madeMeanwhile.includes(sqlState(error) ?? '')) throw error
    })
}

/** Answers how many days of history, or of a table without parts rows, have gone. */
export async function removeOldHistory(db: Db, keptDays: number) {
  const end = Date.now() - keptDays * day
  const before = new Date(end).toISOString()
  const { rows: parts } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = to_regclass('property_history')`)
  let days = 0
  for (const { name } of parts) {
    const [, until, date] = /^property_history_(until_)?(\d{8})$/.exec(name) ?? []
    if (!date) continue
    const first = Date.parse(date.replace(/(....)(..)(..)/, '$1-$2-$3'))
    if (first + (until ? 0 : day) > end) continue
    await db.execute(sql.raw(`drop table ${name}`))
    days++
  }
  // What was there before there were parts lies in one of its own, for as long as it is kept.
  const former = parts.find(({ name }) => name.includes('_until_'))?.name
  const whole = former ?? ((await isParted(db)) ? undefined : 'property_history')
  if (!whole) return { days, rows: 0 }
  const { rowCount } = await db
    .execute(sql`delete from ${sql.identifier(whole)} where time < ${before}`)
    .catch((error: unknown) => {
      // It has just been dropped with all that was in it.
      if (sqlState(error) !== '42P01') throw error
      return { rowCount: 0 }
    })
  return { days, rows: rowCount ?? 0 }
}
