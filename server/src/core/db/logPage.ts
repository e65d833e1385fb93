import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { wrongField } from '../refusal'
import type { Db } from './db'
import { landmark } from './landmarks'
import { among } from './rows'
import type { Slice } from './page'

type Log = PgTable & { id: PgColumn; time: PgColumn }
export type LogSlice = Slice & { sort?: string; anchor?: string }

/** Rows are counted up to this number; offsets up to this number need no page anchor. */
const counted = 10_000
/** The total of a page deep in the list includes only this many following pages. */
const ahead = 5

/**
 * Reads one page of a log, newest first unless another order is requested. `anchor` names the first row of another
 * page; the page is reached from there, or from a stored page anchor if that row is far away, so that page 100,000
 * costs as much as page 2. The ids of a page are read from an index alone if one covers the filters; `read` then
 * fetches the rows.
 * @throws Refusal if `sort` names a column that is not sortable
 */
export async function logPage<R extends { id: string }>(
  db: Db,
  table: Log,
  wanted: SQL | undefined,
  { pageNo, pageSize, countTo = counted, sort = '-time', anchor, ids: only }: LogSlice,
  read: (ids: string[]) => PromiseLike<R[]>,
  /** Columns besides the time that the log can be sorted by; each needs an index. */
  sortable: Record<string, PgColumn> = { time: table.time },
): Promise<{ list: R[]; total: number; more?: true }> {
  const where = and(wanted, among(table.id, only))
  const isDownward = sort.startsWith('-')
  const by = sortable[sort.replace(/^-/, '')]
  if (!by) throw wrongField('sort', '不能按此列排序')
  const ids = (also: SQL | '' | undefined, onward: boolean, limit: number, offset = 0) => {
    const direction = isDownward === onward ? desc : asc
    return db
      .select({ id: table.id })
      .from(table)
      .where(and(where, also || undefined))
      .orderBy(direction(by), direction(table.id))
      .limit(limit)
      .offset(offset)
  }
  /** Builds a condition for the rows after (`onward`) or before the row `id` in the requested order. */
  const beyond = (id: string, onward: boolean, itself = false) => {
    const row = sql`(${by}, ${table.id})`
    const than = sql`(select ${by}, ${table.id} from ${table} where ${table.id} = ${id})`
    const sign = `${isDownward === onward ? '<' : '>'}${itself ? '=' : ''}`
    return sql`${row} ${sql.raw(sign)} ${than}`
  }

  const mark = () => {
    const { sql: asked, params } = ids(undefined, true, 0).toSQL()
    return landmark(db, JSON.stringify([asked, params]), offset, {
      before: (id, most) => db.$count(ids(beyond(id, false), true, most).as('before')),
      after: async (id, rows) => {
        const [row] = await ids(id && beyond(id, true, true), true, 1, rows)
        return row && String(row.id)
      },
    })
  }

  const offset = (pageNo - 1) * pageSize
  const near = nearest(anchor, { pageNo, pageSize })
  const isFar = Math.abs(near?.rows ?? offset) >= counted
  const { id, rows: on } = (isFar && (await mark())) || near || { rows: offset }
  const found =
    on >= 0
      ? await ids(id && beyond(id, true, true), true, pageSize, on)
      : (await ids(id && beyond(id, false), false, pageSize, -on - pageSize)).reverse()
  const shown = found.map((row) => String(row.id))
  const rows = new Map((shown.length > 0 ? await read(shown) : []).map((row) => [row.id, row]))
  const list = shown.flatMap((id) => rows.get(id) ?? [])

  // A page that is not full is the last one, so its position gives the total.
  if (list.length > 0 ? list.length < pageSize : offset === 0)
    return { list, total: offset + list.length }
  const last = shown.at(-1)
  const isDeep = last !== undefined && offset + pageSize * (ahead + 1) > countTo
  const most = isDeep ? ahead * pageSize : countTo
  const some = ids(isDeep ? beyond(last, true) : undefined, true, most + 1).as('some')
  const count = await db.$count(some)
  const before = isDeep ? offset + pageSize : 0
  return count > most ? { list, total: before + most, more: true } : { list, total: before + count }
}

/**
 * Returns the anchor row and its distance in rows to the requested page, unless the beginning of the list is nearer.
 */
function nearest(anchor: string | undefined, { pageNo, pageSize }: Slice) {
  const [page, id] = anchor?.split('~') ?? []
  if (!page || !id) return undefined
  const pages = pageNo - Number(page)
  return Math.abs(pages) < pageNo ? { id, rows: pages * pageSize } : undefined
}
