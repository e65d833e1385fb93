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

/**
 * Lists a moment of each UTC day that needs a partition before its rows arrive. Days of dated partitions are read from
 * their names, because reading the rows of a month takes minutes.
 */
export async function listHistoryDays(db: Db): Promise<number[]> {
  const names = (await isTablePartitioned(db)) ? await listPartitionNames(db) : []
  const datedTimes = names.flatMap((name) => {
    const [, date] = /^property_history_(\d{8})$/.exec(name) ?? []
    return date ? Date.parse(toIsoDay(date)) : []
  })
  const undatedTables =
    names.length === 0
      ? ['property_history']
      : names.filter((name) => !/_\d{8}$/.test(name) || name.includes('_until_'))
  const undatedTimes = await Promise.all(
    undatedTables.map(async (name) => {
      const { rows } = await db.execute<{ day: number }>(
        sql`select distinct date_part('epoch', date_trunc('day', time at time zone 'UTC')) * 1000 as day from ${sql.identifier(name)}`,
      )
      return rows.map(({ day }) => day)
    }),
  )
  return [...new Set([...datedTimes, ...undatedTimes.flat()])].sort((a, b) => a - b)
}

const toIsoDay = (digits: string) => digits.replace(/(....)(..)(..)/, '$1-$2-$3')

/** Lists the parts of a table that PostgreSQL itself divides. */
export async function listPartitionNames(db: Db, table = 'property_history') {
  const { rows } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = to_regclass(${table})`)
  return rows.map(({ name }) => name)
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
  const partitionNames = await listPartitionNames(db)
  const removedCounts = { days: 0, rows: 0 }
  for (const name of partitionNames) {
    const [, untilPrefix, date] = /^property_history_(until_)?(\d{8})$/.exec(name) ?? []
    if (!date) continue
    const startTime = Date.parse(toIsoDay(date))
    const endTime = startTime + (untilPrefix ? 0 : dayMs)
    const ageDays = (now - endTime) / dayMs
    if (
      ageDays >= maxDays ||
      (ageDays >= usual &&
        !(await hasProjectRows(db, name, findProjectsRetaining(projects, ageDays))))
    ) {
      if (await dropPartition(db, name)) removedCounts.days++
    } else if (untilPrefix || ageDays >= minDays)
      removedCounts.rows += await deleteExpiredRows(db, name, { usual, projects })
  }
  // An operator may have created the table without partitions; its rows are deleted in place.
  if (partitionNames.length === 0 && !(await isTablePartitioned(db)))
    removedCounts.rows += await deleteExpiredRows(db, 'property_history', { usual, projects })
  return removedCounts
}

const lockTimeoutState = '55P03'
/**
 * Dropping locks the whole table. A backup may be reading the partition for minutes, and everything else would wait
 * behind the drop, so it gives up soon and is tried again the next day.
 */
async function dropPartition(db: Db, name: string) {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '100ms'`)
      await tx.execute(sql.raw(`drop table ${name}`))
    })
    return true
  } catch (error) {
    if (getSqlState(error) !== lockTimeoutState) throw error
    return false
  }
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
