import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db'

/** Counted no further: to count 100,000 rows takes longer than to read twenty. */
const enough = 10_000
/** Pages that can be seen to follow, however far one has gone. */
const ahead = 5

export type Slice = {
  pageNo: number
  pageSize: number
  /** For who must know the number. */
  countTo?: number
  /** Only these, of what is asked for. */
  ids?: string[]
}

/**
 * One page of rows and how many there are: all of them, or `more` than the `total` that was counted.
 * @param read the rows of the page, in their order
 * @param counted how many there are, at most `upTo`, if that came with the rows
 */
export async function pageOf<R>(
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  { pageNo, pageSize, countTo = enough }: Slice,
  read: (slice: { limit: number; offset: number; upTo: number }) => PromiseLike<R[]>,
  counted = (): number | undefined => undefined,
): Promise<{ list: R[]; total: number; more?: true }> {
  const offset = (pageNo - 1) * pageSize
  const most = Math.max(countTo, offset + ahead * pageSize)
  const upTo = most + 1
  const list = await read({ limit: pageSize, offset, upTo })
  // A page that is not full is the last: what a search finds need not be searched for again.
  if (list.length > 0 ? list.length < pageSize : offset === 0)
    return { list, total: offset + list.length }
  const total = counted() ?? (await count(db, countOf(table, where, upTo)))
  return total > most ? { list, total: most, more: true } : { list, total }
}

/** The same of rows that are all there. */
export function sliceOf<R extends { id: string }>(rows: R[], { pageNo, pageSize, ids }: Slice) {
  const only = ids && new Set(ids)
  const all = only ? rows.filter(({ id }) => only.has(id)) : rows
  return { list: all.slice((pageNo - 1) * pageSize, pageNo * pageSize), total: all.length }
}

export const countOf = (table: PgTable, where: SQL | undefined, upTo: number) =>
  sql`(select count(*)::int from (select 1 from ${table} ${where && sql`where ${where}`} limit ${upTo}) as read)`

async function count(db: Db, counting: SQL) {
  const { rows } = await db.execute<{ total: number }>(sql`select ${counting} as total`)
  return rows[0]!.total
}
