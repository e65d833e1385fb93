import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db'

/** Rows are counted up to this number, because counting 100,000 rows takes longer than reading a page of 20. */
const maxCountedRows = 10_000
/** The total always includes this many following pages, even deep in the list. */
const pagesCountedAhead = 5

export type PageQuery = {
  pageNo: number
  pageSize: number
  /** A caller that needs a more exact total raises the counting limit. */
  countTo?: number
  /** If given, the list is restricted to these ids. */
  ids?: string[]
}

/**
 * Reads one page of rows and their total; `more` is set if the list is longer than the counted `total`.
 * @param readRows reads the rows of the page in their order
 * @param getFetchedTotal returns the total, at most `upTo`, if `readRows` has already fetched it
 */
export async function readPage<R>(
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  { pageNo, pageSize, countTo = maxCountedRows }: PageQuery,
  readRows: (slice: { limit: number; offset: number; upTo: number }) => PromiseLike<R[]>,
  getFetchedTotal = (): number | undefined => undefined,
): Promise<{ list: R[]; total: number; more?: true }> {
  const offset = (pageNo - 1) * pageSize
  const maxTotal = Math.max(countTo, offset + pagesCountedAhead * pageSize)
  const upTo = maxTotal + 1
  const list = await readRows({ limit: pageSize, offset, upTo })
  // A page that is not full is the last one, so a search need not run a second time to count.
  if (list.length > 0 ? list.length < pageSize : offset === 0)
    return { list, total: offset + list.length }
  const total = getFetchedTotal() ?? (await runCount(db, buildCountQuery(table, where, upTo)))
  return total > maxTotal ? { list, total: maxTotal, more: true } : { list, total }
}

/** Returns the same page for rows that are already in memory. */
export function paginateRows<R extends { id: string }>(
  rows: R[],
  { pageNo, pageSize, ids }: PageQuery,
) {
  const restrictedIds = ids && new Set(ids)
  const all = restrictedIds ? rows.filter(({ id }) => restrictedIds.has(id)) : rows
  return { list: all.slice((pageNo - 1) * pageSize, pageNo * pageSize), total: all.length }
}

export const buildCountQuery = (table: PgTable, where: SQL | undefined, upTo: number) =>
  sql`(select count(*)::int from (select 1 from ${table} ${where && sql`where ${where}`} limit ${upTo}) as read)`

async function runCount(db: Db, countQuery: SQL) {
  const { rows } = await db.execute<{ total: number }>(sql`select ${countQuery} as total`)
  return rows[0]!.total
}
