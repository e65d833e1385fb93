import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { wrongField } from '../refusal'
import type { Db } from './db'
import { landmark } from './landmarks'
import { among } from './rows'
import type { Slice } from './page'

type Log = PgTable & { id: PgColumn; time: PgColumn }
export type LogSlice = Slice & { sort?: string; anchor?: string }

/** As far as rows are counted, and as far as one goes by number alone without a second thought. */
const counted = 10_000
/** Pages that can be seen to follow. */
const ahead = 5

/**
 * One page of a log, in the order of its time unless another is asked for. An `anchor` says which row another page
 * began with: the page is reached from there, or from a landmark where none is near, so that the hundred thousandth
 * costs what the second does. The ids of the page are read from an index alone where one has the filters; `read` then
 * brings the rows.
 */
export async function logPage<R extends { id: string }>(
  db: Db,
  table: Log,
  wanted: SQL | undefined,
  { pageNo, pageSize, countTo = counted, sort = '-time', anchor, ids: only }: LogSlice,
  read: (ids: string[]) => PromiseLike<R[]>,
  /** By what else it may be in order; each needs an index. */
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
  /** On the far side of a row, or on the near one. */
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

  // A page that is not full is the last.
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

/** The row to go from, and how many rows on, unless it is nearer from the beginning. */
function nearest(anchor: string | undefined, { pageNo, pageSize }: Slice) {
  const [page, id] = anchor?.split('~') ?? []
  if (!page || !id) return undefined
  const pages = pageNo - Number(page)
  return Math.abs(pages) < pageNo ? { id, rows: pages * pageSize } : undefined
}
