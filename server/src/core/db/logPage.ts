import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { createFieldRefusal } from '../refusal'
import type { Db } from './db'
import { findPageAnchor } from '../shortcuts/pageAnchors'
import { whereIdIn } from './rows'
import type { PageQuery } from './page'

type LogTable = PgTable & { id: PgColumn; time: PgColumn }
export type LogPageQuery = PageQuery & { sort?: string; anchor?: string }

/** Rows are counted up to this number; offsets up to this number need no page anchor. */
const maxCountedRows = 10_000
/** The total of a page deep in the list includes only this many following pages. */
const pagesCountedAhead = 5

/**
 * Reads one page of a log, newest first unless another order is requested. `anchor` names the first row of another
 * page; the page is reached from there, or from a stored page anchor if that row is far away, so that page 100,000
 * costs as much as page 2. The ids of a page are read from an index alone if one covers the filters; `readRows` then
 * fetches the rows.
 * @throws Refusal if `sort` names a column that is not sortable
 */
export async function readLogPage<R extends { id: string }>(
  db: Db,
  table: LogTable,
  filter: SQL | undefined,
  {
    pageNo,
    pageSize,
    countTo = maxCountedRows,
    sort = '-time',
    anchor,
    ids: restrictedIds,
  }: LogPageQuery,
  readRows: (ids: string[]) => PromiseLike<R[]>,
  /** Columns besides the time that the log can be sorted by; each needs an index. */
  sortable: Record<string, PgColumn> = { time: table.time },
): Promise<{ list: R[]; total: number; more?: true }> {
  const where = and(filter, whereIdIn(table.id, restrictedIds))
  const isDownward = sort.startsWith('-')
  const sortColumn = sortable[sort.replace(/^-/, '')]
  if (!sortColumn) throw createFieldRefusal('sort', '不能按此列排序')
  const selectIds = (
    extraCondition: SQL | '' | undefined,
    isForward: boolean,
    limit: number,
    offset = 0,
  ) => {
    const direction = isDownward === isForward ? desc : asc
    return db
      .select({ id: table.id })
      .from(table)
      .where(and(where, extraCondition || undefined))
      .orderBy(direction(sortColumn), direction(table.id))
      .limit(limit)
      .offset(offset)
  }
  /** Builds a condition for the rows after (`isForward`) or before the row `anchorId` in the requested order. */
  const buildRowComparison = (id: string, isForward: boolean, isInclusive = false) => {
    const rowPosition = sql`(${sortColumn}, ${table.id})`
    const anchorPosition = sql`(select ${sortColumn}, ${table.id} from ${table} where ${table.id} = ${id})`
    const operator = `${isDownward === isForward ? '<' : '>'}${isInclusive ? '=' : ''}`
    return sql`${rowPosition} ${sql.raw(operator)} ${anchorPosition}`
  }

  const findStoredAnchor = () => {
    const { sql: statement, params } = selectIds(undefined, true, 0).toSQL()
    return findPageAnchor(db, JSON.stringify([statement, params]), offset, {
      before: (id, maxRows) =>
        db.$count(selectIds(buildRowComparison(id, false), true, maxRows).as('before')),
      after: async (id, rows) => {
        const [row] = await selectIds(id && buildRowComparison(id, true, true), true, 1, rows)
        return row && String(row.id)
      },
    })
  }

  const offset = (pageNo - 1) * pageSize
  const nearbyAnchor = parseAnchor(anchor, { pageNo, pageSize })
  const isFar = Math.abs(nearbyAnchor?.rows ?? offset) >= maxCountedRows
  const { id, rows: rowsFromAnchor } = (isFar && (await findStoredAnchor())) ||
    nearbyAnchor || { rows: offset }
  const idRows =
    rowsFromAnchor >= 0
      ? await selectIds(id && buildRowComparison(id, true, true), true, pageSize, rowsFromAnchor)
      : (
          await selectIds(
            id && buildRowComparison(id, false),
            false,
            pageSize,
            -rowsFromAnchor - pageSize,
          )
        ).reverse()
  const pageIds = idRows.map((row) => String(row.id))
  const rows = new Map(
    (pageIds.length > 0 ? await readRows(pageIds) : []).map((row) => [row.id, row]),
  )
  const list = pageIds.flatMap((id) => rows.get(id) ?? [])

  // A page that is not full is the last one, so its position gives the total.
  if (list.length > 0 ? list.length < pageSize : offset === 0)
    return { list, total: offset + list.length }
  const lastId = pageIds.at(-1)
  const isDeep = lastId !== undefined && offset + pageSize * (pagesCountedAhead + 1) > countTo
  const maxFollowingRows = isDeep ? pagesCountedAhead * pageSize : countTo
  const followingRows = selectIds(
    isDeep ? buildRowComparison(lastId, true) : undefined,
    true,
    maxFollowingRows + 1,
  ).as('some')
  const count = await db.$count(followingRows)
  const rowsBefore = isDeep ? offset + pageSize : 0
  return count > maxFollowingRows
    ? { list, total: rowsBefore + maxFollowingRows, more: true }
    : { list, total: rowsBefore + count }
}

/**
 * Returns the anchor row and its distance in rows to the requested page, unless the beginning of the list is nearer.
 */
function parseAnchor(anchor: string | undefined, { pageNo, pageSize }: PageQuery) {
  const [anchorPage, anchorId] = anchor?.split('~') ?? []
  if (!anchorPage || !anchorId) return undefined
  const pages = pageNo - Number(anchorPage)
  return Math.abs(pages) < pageNo ? { id: anchorId, rows: pages * pageSize } : undefined
}
