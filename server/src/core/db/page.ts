import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db'

/** Counted no further: to count 100,000 rows takes longer than to read twenty. */
const counted = 10_000
/** Pages that can be seen to follow, however far one has gone. */
const ahead = 5

export type Slice = {
  pageNo: number
  pageSize: number
  /** For who must know the number. */
  countTo?: number
}

/**
 * One page of rows and how many there are: all of them, or `more` than the `total` that was counted.
 * @param read the rows of the page, in their order
 */
export async function pageOf<R>(
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  { pageNo, pageSize, countTo = counted }: Slice,
  read: (slice: { limit: number; offset: number }) => PromiseLike<R[]>,
): Promise<{ list: R[]; total: number; more?: true }> {
  const offset = (pageNo - 1) * pageSize
  const list = await read({ limit: pageSize, offset })
  // A page that is not full is the last: what a search finds need not be searched for again.
  if (list.length > 0 ? list.length < pageSize : offset === 0)
    return { list, total: offset + list.length }
  const most = Math.max(countTo, offset + ahead * pageSize)
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(most + 1)
    .as('some')
  const total = await db.$count(some)
  return total > most ? { list, total: most, more: true } : { list, total }
}
