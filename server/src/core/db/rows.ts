import { and, asc, desc, eq, ilike, inArray, like, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { narrowWidth } from '@iot/shared/contract/text'
import { now } from '../../tables/columns'
import { wrongField } from '../refusal'
import { narrowColumn, searched } from './searched'

type Versioned = { id: PgColumn; version: PgColumn }
type Revision = { id: string; version: number }

/** Condition of the optimistic lock: the row still has the version that the writer read. */
export const asRead = (table: Versioned, { id, version }: Revision) =>
  and(eq(table.id, id), eq(table.version, version))

/** Returns the columns that every change of a row sets besides its own fields. */
export const stamp = (table: Versioned, by: string) => ({
  updateBy: by,
  updateTime: now(),
  version: sql`${table.version} + 1`,
})

/**
 * Builds a condition for a column that contains a text, ignoring case and character width; `%` and `_` are ordinary
 * characters.
 * @param as the same column under another name in the query
 * @returns undefined if the text is empty
 */
export function contains(column: PgColumn, text = '', as: PgColumn | SQL = column) {
  if (!searched.has(column)) throw new Error(`${column.name} is not among the searched columns`)
  const wanted = narrowWidth(text).trim()
  if (!wanted) return undefined
  // Chinese has no case, and `like` compares a row in a fifth of the time of `ilike`.
  const has = wanted.toLowerCase() === wanted.toUpperCase() ? like : ilike
  return has(narrowColumn(as), `%${wanted.replace(/[\\%_]/g, '\\$&')}%`)
}

export const equals = <T>(column: PgColumn, value?: T) =>
  value === undefined || value === '' ? undefined : eq(column, value)

/** Restricts a query to these ids if they are given. */
export const among = (column: PgColumn, ids: string[] | undefined) => ids && inArray(column, ids)

/**
 * Builds the order of a list. Only listed columns sort; the id settles ties, so pages neither repeat nor lose a row.
 * @throws Refusal if `sort` names another column
 */
export function order(
  columns: Record<string, PgColumn | SQL> & { id: PgColumn },
  sort: string | undefined,
  fallback: string,
): SQL[] {
  const wanted = sort ?? fallback
  const name = wanted.replace(/^-/, '')
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw wrongField('sort', '不能按此列排序')
  const direction = wanted.startsWith('-') ? desc : asc
  return [direction(column), direction(columns.id)]
}
