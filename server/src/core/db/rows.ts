import { and, asc, desc, eq, ilike, inArray, like, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { normalizeForSearch } from '@iot/shared/contract/text'
import { now } from '../../tables/columns'
import { createFieldRefusal } from '../refusal'
import type { Db } from './db'
import { compactColumn, searchableColumns } from './searchIndexes'

type VersionedColumns = { id: PgColumn; version: PgColumn }
type Revision = { id: string; version: number }

/** Condition of the optimistic lock: the row still has the version that the writer read. */
export const matchesRevision = (table: VersionedColumns, { id, version }: Revision) =>
  and(eq(table.id, id), eq(table.version, version))

/** Returns the columns that every change of a row sets besides its own fields. */
export const buildUpdateColumns = (table: VersionedColumns, username: string) => ({
  updateBy: username,
  updateTime: now(),
  version: sql`${table.version} + 1`,
})

/**
 * Builds a condition for a column that contains a text, ignoring case, character width and blanks; `%` and `_` are
 * ordinary characters.
 * @param comparedColumn the same column under another name in the query
 * @returns undefined if the text is empty
 */
export function contains(column: PgColumn, text = '', comparedColumn: PgColumn | SQL = column) {
  if (!searchableColumns.has(column))
    throw new Error(`${column.name} is not among the searched columns`)
  const needle = normalizeForSearch(text)
  if (!needle) return undefined
  // Chinese has no case, and `like` compares a row in a fifth of the time of `ilike`.
  const likeOperator = needle.toLowerCase() === needle.toUpperCase() ? like : ilike
  return likeOperator(compactColumn(comparedColumn), `%${needle.replace(/[\\%_]/g, '\\$&')}%`)
}

export const whereEquals = <T>(column: PgColumn, value?: T) =>
  value === undefined || value === '' ? undefined : eq(column, value)

/** Restricts a query to these ids if they are given. */
export const whereIdIn = (column: PgColumn, ids: string[] | undefined) =>
  ids && inArray(column, ids)

/** Returns true if the column, whose values are unique, lacks any of these ids. */
export async function hasUnknownIds(db: Db, column: PgColumn, ids: readonly (string | number)[]) {
  const uniqueIds = [...new Set(ids)]
  return (await db.$count(column.table, inArray(column, uniqueIds))) < uniqueIds.length
}

/**
 * Builds the order of a list. Only listed columns sort; the id settles ties, so pages neither repeat nor lose a row.
 * @throws Refusal if `sort` names another column
 */
export function buildOrderBy(
  columns: Record<string, PgColumn | SQL> & { id: PgColumn },
  sort: string | undefined,
  fallback: string,
): SQL[] {
  const sortKey = sort ?? fallback
  const name = sortKey.replace(/^-/, '')
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw createFieldRefusal('sort', '不能按此列排序')
  const direction = sortKey.startsWith('-') ? desc : asc
  return [direction(column), direction(columns.id)]
}
