import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { sqlState } from '../core/db/outage'

const day = 24 * 3600_000
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const overlaps = '42P17'
/** These SQL states mean that another process created the partition at the same moment. */
const madeMeanwhile = ['23505', '42P07', overlaps]

/**
 * Returns true if the table is partitioned by this module. A hypertable of TimescaleDB or a Citus table manages itself.
 */
async function isParted(db: Db) {
  const { rows } = await db.execute<{ kind: string }>(
    sql`select relkind as kind from pg_class where oid = to_regclass('property_history')`,
  )
  return rows[0]?.kind === 'p'
}

/** Manages one history partition per UTC day, so that an old day is dropped as a whole. */
export function openHistoryParts(db: Db) {
  let parted: boolean | undefined
  let ready = new Set<string>()
  return {
    /** Call this before rows of these times are written; the partition for tomorrow is always created too. */
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
    /** Forgets the created partitions, because the database may have been restored or replaced. */
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

/** Retention in days: of projects with their own setting, and of all others. */
export type KeptDays = { usual: number; projects: Map<number, number> }

/**
 * Drops expired partitions and deletes expired rows of the remaining ones.
 * @returns the number of dropped days and deleted rows
 */
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
  // An operator may have created the table without partitions; its rows are deleted in place.
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

/** Deletes row by row what is older than the retention of its project. */
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
          // Another process has just dropped this partition.
          if (sqlState(error) !== '42P01') throw error
          return { rowCount: 0 }
        })
      some = rowCount ?? 0
    }
  return gone
}
/** Rows deleted per statement, so that other writers do not wait long. */
const portion = 20_000
const among = (projectIds: number[]) =>
  sql`project_id in (select value::integer from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb))`
