import { sql } from 'drizzle-orm'
import { createHistoryPartitions } from './historyPartitions'
import type { Db } from './db'
import { getExecutedCounts, migrate, refuseNewerDatabase } from './migrate'
import {
  assertDatabaseIsEmpty,
  countRows,
  listTables,
  sortByForeignKeys,
  type PlatformTable,
} from './platformTables'
import { describeReason } from '../logging/safeError'

export type CopyResult = {
  tables: { name: string; rows: number }[]
  /** Tables in the source that do not belong to the platform are not copied. */
  foreign: string[]
}

/** A batch of copied rows has about this many characters of JSON text. Pictures make some rows large. */
const targetBatchChars = 4_000_000
const maxBatchRows = 2000

/**
 * Copies all tables of the platform into an empty database in one transaction, so an interrupted copy can simply be
 * repeated. Row counts are compared table by table before the commit. The target gets the schema version of the
 * source; the next start of the platform migrates it.
 * @throws Error whose message says why nothing was copied
 */
export async function copyDatabase(sourceDb: Db, targetDb: Db): Promise<CopyResult> {
  const executedCounts = await getExecutedCounts(sourceDb).catch(() => new Map<string, number>())
  if (executedCounts.size === 0) throw new Error('来源不是本平台的数据库，或从未用过')
  await refuseNewerDatabase(sourceDb)
  await assertDatabaseIsEmpty(targetDb)
  await migrate(targetDb, executedCounts)
  const targetCounts = await getExecutedCounts(targetDb)
  if ([...targetCounts].some(([name, statements]) => executedCounts.get(name) !== statements))
    throw new Error('目标的表结构比来源新：请用空的数据库')
  return sourceDb.transaction(
    (source) =>
      targetDb.transaction(async (target) => {
        const targetTableNames = new Set((await listTables(target)).map(({ name }) => name))
        const tables = sortByForeignKeys(await listTables(source))
        const copied: CopyResult = { tables: [], foreign: [] }
        for (const table of tables) {
          if (!targetTableNames.has(table.name)) {
            copied.foreign.push(table.name)
            continue
          }
          if (table.name === 'property_history') await prepareHistory(source, target)
          await copyTable(source, target, table)
          const rows = await countRows(source, table.name)
          const targetRowCount = await countRows(target, table.name)
          if (rows !== targetRowCount)
            throw new Error(`${table.name} 有 ${rows} 行，到达 ${targetRowCount} 行：已全部撤回`)
          copied.tables.push({ name: table.name, rows })
        }
        return copied
      }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Each value is copied in PostgreSQL's text format, because that is the one format in which every type survives. */
async function copyTable(source: Db, target: Db, { name, columns }: PlatformTable) {
  const fields = sql.join(
    columns.map((column) => sql.identifier(column.name)),
    sql`, `,
  )
  const texts = sql.join(
    columns.map((column) => sql`${sql.identifier(column.name)}::text`),
    sql`, `,
  )
  const values = sql.join(
    columns.map(({ type }, index) => sql.raw(`(entry->>${index})::${type}`)),
    sql`, `,
  )
  await source.execute(sql`
    declare entries no scroll cursor for
    select json_build_array(${texts})::text as entry from ${sql.identifier(name)}`)
  for (let fetchSize = 10; ;) {
    const { rows } = await source.execute<{ entry: string }>(
      sql.raw(`fetch ${fetchSize} from entries`),
    )
    if (rows.length === 0) break
    const batch = `[${rows.map(({ entry }) => entry).join()}]`
    const insertStatement = sql`
      insert into ${sql.identifier(name)} (${fields})
      select ${values} from json_array_elements(${batch}::json) as one (entry)`
    await target.execute(insertStatement).catch((cause) => {
      throw new Error(`${name}：${describeReason(cause)}`, { cause })
    })
    const fittingRows = Math.floor((fetchSize * targetBatchChars) / batch.length)
    fetchSize = Math.max(1, Math.min(fittingRows, 10 * fetchSize, maxBatchRows))
  }
  await source.execute(sql`close entries`)
}

/** The table `property_history` is partitioned by day, so the partitions must exist before their rows arrive. */
async function prepareHistory(source: Db, target: Db) {
  const { rows } = await source.execute<{ day: number }>(
    sql`select distinct date_part('epoch', date_trunc('day', time at time zone 'UTC')) * 1000 as day from property_history`,
  )
  await createHistoryPartitions(target).prepare(rows.map(({ day }) => day))
}

/** Summarises the copy for the operator: each table with its row count. */
export function formatCopySummary({ tables, foreign }: CopyResult) {
  const lines = tables.filter(({ rows }) => rows > 0).map(({ name, rows }) => `  ${name}  ${rows}`)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const foreignNote = foreign.length > 0 ? `\n不属于平台、没有复制的表：${foreign.join('、')}` : ''
  return `${lines.join('\n')}\n已复制 ${tables.length} 张表、${rows} 行，逐表核对一致${foreignNote}`
}
