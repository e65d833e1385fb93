import { and, asc, desc, eq, ilike, inArray, like, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { narrowWidth } from '@iot/shared/contract/text'
import { now } from '../../tables/columns'
import { wrongField } from '../refusal'
import { narrowColumn, searched } from './searched'

type Versioned = { id: PgColumn; version: PgColumn }
type Revision = { id: string; version: number }

/** The row as the writer read it. */
export const asRead = (table: Versioned, { id, version }: Revision) =>
  and(eq(table.id, id), eq(table.version, version))

/** What every change of a row sets beside its fields. */
export const stamp = (table: Versioned, by: string) => ({
  updateBy: by,
  updateTime: now(),
  version: sql`${table.version} + 1`,
})

/**
 * Neither case nor width matters; `%` and `_` are letters like others. Nothing is asked of an empty text.
 * @param as the column under another name
 */
export function contains(column: PgColumn, text = '', as: PgColumn | SQL = column) {
  if (!searched.has(column)) throw new Error(`${column.name} is not among the searched columns`)
  const wanted = narrowWidth(text).trim()
  if (!wanted) return undefined
  // Chinese has no case, and without it a row is compared in a fifth of the time.
  const has = wanted.toLowerCase() === wanted.toUpperCase() ? like : ilike
  return has(narrowColumn(as), `%${wanted.replace(/[\\%_]/g, '\\$&')}%`)
}

export const equals = <T>(column: PgColumn, value?: T) =>
  value === undefined || value === '' ? undefined : eq(column, value)

/** Of these only, where they are named. */
export const among = (column: PgColumn, ids: string[] | undefined) => ids && inArray(column, ids)

/** Only listed columns sort; the id settles ties, so pages neither repeat nor lose a row. */
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
