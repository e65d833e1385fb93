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

/** How many days are kept: of projects that say so, and of all others. */
export type KeptDays = { usual: number; projects: Map<number, number> }

/** Answers how many days of history, and how many rows of what stays for others, have gone. */
export async function removeOldHistory(db: Db, { usual, projects }: KeptDays) {
  const now = Date.now()
  const longest = Math.max(usual, ...projects.values())
  const shortest = Math.min(usual, ...projects.values())
  const { rows: parts } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = to_regclass('property_history')`)
  const found = { days: 0, rows: 0 }
  for (const { name } of parts) {
    const [, until, date] = /^property_history_(until_)?(\d{8})$/.exec(name) ?? []
    if (!date) continue
    const first = Date.parse(date.replace(/(....)(..)(..)/, '$1-$2-$3'))
    const end = first + (until ? 0 : day)
    const age = (now - end) / day
    if (age >= longest || (age >= usual && !(await holds(db, name, keptBeyond(projects, age))))) {
      await db.execute(sql.raw(`drop table ${name}`))
      found.days++
    } else if (until || age >= shortest) found.rows += await thin(db, name, { usual, projects })
  }
  // A table without parts, as the operator may have set it up, is all one.
  if (parts.length === 0 && !(await isParted(db)))
    found.rows += await thin(db, 'property_history', { usual, projects })
  return found
}

const keptBeyond = (projects: Map<number, number>, age: number) =>
  [...projects].filter(([, days]) => days > age).map(([id]) => id)

async function holds(db: Db, part: string, projectIds: number[]) {
  if (projectIds.length === 0) return false
  const { rows } = await db.execute(
    sql`select 1 from ${sql.identifier(part)} where ${among(projectIds)} limit 1`,
  )
  return rows.length > 0
}

/** Takes out row by row what is older than its project keeps. */
async function thin(db: Db, part: string, { usual, projects }: KeptDays) {
  const before = (days: number) => new Date(Date.now() - days * day).toISOString()
  const own = [...projects].map(([id, days]) => sql`project_id = ${id} and time < ${before(days)}`)
  const others = sql`not ${among([...projects.keys()])} and time < ${before(usual)}`
  let gone = 0
  for (const old of [others, ...own])
    for (let some = portion; some === portion; gone += some) {
      const { rowCount } = await db
        .execute(
          sql`delete from ${sql.identifier(part)} where ctid = any(array(select ctid from ${sql.identifier(part)} where ${old} limit ${portion}))`,
        )
        .catch((error: unknown) => {
          // Another process has just dropped it with all that was in it.
          if (sqlState(error) !== '42P01') throw error
          return { rowCount: 0 }
        })
      some = rowCount ?? 0
    }
  return gone
}
/** So many rows a statement, so that others are not kept waiting. */
const portion = 20_000
const among = (projectIds: number[]) =>
  sql`project_id in (select value::integer from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb))`
