import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { sql } from 'drizzle-orm'
import type { Db } from './db'
import { getSqlState } from './outage'

const toIsoDate = (time: number) => new Date(time).toISOString().slice(0, 10)
const overlapState = '42P17'
/** These SQL states mean that another process created the partition at the same moment. */
const createdMeanwhileStates = ['23505', '42P07', overlapState]

/**
 * Returns true if the table is partitioned by this module. A hypertable of TimescaleDB or a Citus table manages itself.
 */
async function isTablePartitioned(db: Db) {
  const { rows } = await db.execute<{ kind: string }>(
    sql`select relkind as kind from pg_class where oid = to_regclass('property_history')`,
  )
  return rows[0]?.kind === 'p'
}

/** Manages one history partition per UTC day, so that an old day is dropped as a whole. */
export function createHistoryPartitions(db: Db) {
  let isPartitioned: boolean | undefined
  let createdDates = new Set<string>()
  return {
    /** Call this before rows of these times are written; the partition for tomorrow is always created too. */
    async prepare(times: Iterable<number>) {
      isPartitioned ??= await isTablePartitioned(db)
      if (!isPartitioned) return
      const dates = new Set([Date.now() + dayMs, ...times].map(toIsoDate))
      for (const date of dates) {
        if (createdDates.has(date)) continue
        await createPartition(db, date)
        createdDates.add(date)
      }
    },
    /** Forgets the created partitions, because the database may have been restored or replaced. */
    forget() {
      isPartitioned = undefined
      createdDates = new Set()
    },
  }
}

async function createPartition(db: Db, date: string) {
  const name = `property_history_${date.replaceAll('-', '')}`
  const nextDate = toIsoDate(Date.parse(date) + dayMs)
  await db
    .execute(
      sql.raw(
        `create table if not exists ${name} partition of property_history for values from ('${date}T00:00:00Z') to ('${nextDate}T00:00:00Z')`,
      ),
    )
    .catch((error: unknown) => {
      if (!createdMeanwhileStates.includes(getSqlState(error) ?? '')) throw error
    })
}

/** Retention in days: of projects with their own setting, and of all others. */
export type HistoryRetention = { usual: number; projects: Map<number, number> }

/**
 * Drops expired partitions and deletes expired rows of the remaining ones.
 * @returns the number of dropped days and deleted rows
 */
export async function removeOldHistory(db: Db, { usual, projects }: HistoryRetention) {
  const now = Date.now()
  const maxDays = Math.max(usual, ...projects.values())
  const minDays = Math.min(usual, ...projects.values())
  const { rows: partitions } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = to_regclass('property_history')`)
  const removedCounts = { days: 0, rows: 0 }
  for (const { name } of partitions) {
    const [, untilPrefix, date] = /^property_history_(until_)?(\d{8})$/.exec(name) ?? []
    if (!date) continue
    const startTime = Date.parse(date.replace(/(....)(..)(..)/, '$1-$2-$3'))
    const endTime = startTime + (untilPrefix ? 0 : dayMs)
    const ageDays = (now - endTime) / dayMs
    if (
      ageDays >= maxDays ||
      (ageDays >= usual &&
        !(await hasProjectRows(db, name, findProjectsRetaining(projects, ageDays))))
    ) {
      await db.execute(sql.raw(`drop table ${name}`))
      removedCounts.days++
    } else if (untilPrefix || ageDays >= minDays)
      removedCounts.rows += await deleteExpiredRows(db, name, { usual, projects })
  }
  // An operator may have created the table without partitions; its rows are deleted in place.
  if (partitions.length === 0 && !(await isTablePartitioned(db)))
    removedCounts.rows += await deleteExpiredRows(db, 'property_history', { usual, projects })
  return removedCounts
}

const findProjectsRetaining = (projects: Map<number, number>, age: number) =>
  [...projects].filter(([, days]) => days > age).map(([id]) => id)

async function hasProjectRows(db: Db, partition: string, projectIds: number[]) {
  if (projectIds.length === 0) return false
  const { rows } = await db.execute(
    sql`select 1 from ${sql.identifier(partition)} where ${whereProjectIn(projectIds)} limit 1`,
  )
  return rows.length > 0
}

/** Deletes row by row what is older than the retention of its project. */
async function deleteExpiredRows(db: Db, partition: string, { usual, projects }: HistoryRetention) {
  const getCutoff = (days: number) => getPastTime(days * dayMs)
  const projectConditions = [...projects].map(
    ([id, days]) => sql`project_id = ${id} and time < ${getCutoff(days)}`,
  )
  const defaultCondition = sql`not ${whereProjectIn([...projects.keys()])} and time < ${getCutoff(usual)}`
  let deletedCount = 0
  for (const condition of [defaultCondition, ...projectConditions])
    for (
      let deletedRows = maxRowsPerDelete;
      deletedRows === maxRowsPerDelete;
      deletedCount += deletedRows
    ) {
      const { rowCount } = await db
        .execute(
          sql`delete from ${sql.identifier(partition)} where ctid = any(array(select ctid from ${sql.identifier(partition)} where ${condition} limit ${maxRowsPerDelete}))`,
        )
        .catch((error: unknown) => {
          // Another process has just dropped this partition.
          if (getSqlState(error) !== '42P01') throw error
          return { rowCount: 0 }
        })
      deletedRows = rowCount ?? 0
    }
  return deletedCount
}
/** Rows deleted per statement, so that other writers do not wait long. */
const maxRowsPerDelete = 20_000
const whereProjectIn = (projectIds: number[]) =>
  sql`project_id in (select value::integer from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb))`
