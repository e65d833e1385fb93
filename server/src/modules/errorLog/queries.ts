import { createHash } from 'node:crypto'
import type { ErrorStatus, errorLogApi } from '@iot/shared/contract/errorLog'
import { and, eq, getTableColumns, gte, inArray, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { pageOf, type Slice } from '../../core/db/page'
import { among, contains, equals, order } from '../../core/db/rows'
import { errorLog as table } from '../../tables/errorLog'

type Occurrence = {
  source: 'browser' | 'server' | 'device' | 'broker'
  message: string
  stack?: string
  page?: string
  build?: string
  traceId?: string
}

/**
 * Limit of error kinds per source. Anyone can invent errors of browsers and devices, so each source has its own limit;
 * beyond it the kind that was not seen for longest is removed.
 */
const maxKinds = { server: 5_000, broker: 1_000, device: 2_000, browser: 2_000 }

type Page = z.output<typeof errorLogApi.page.input> & Slice
const columns = getTableColumns(table)
const { id, message, source, count, firstTime, lastTime, status } = columns
const sortable = { id, source, count, firstTime, lastTime, status }
/** Name of an error in the audit log and other lists. */
const name = sql<string>`left(${message}, 60)`

/**
 * Numbers, ids and quoted words differ between occurrences of one error, so they are masked; the origin in the stack
 * stays.
 */
function fingerprintOf({ source, message, stack = '' }: Occurrence) {
  const gist = message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+|(["'“`]).*?["'”`]/gi, '#')
  const place =
    stack
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line.startsWith('at ') || line.includes('@')) ?? ''
  return createHash('sha256')
    .update(`${source}\n${gist}\n${place.replace(/[?#:].*$/, '')}`)
    .digest('base64url')
}

export const errorLogQueries = (db: Db) => ({
  page({ message, source, status, returned, from, to, sort, ...page }: Page) {
    const where = and(
      contains(table.message, message),
      equals(table.source, source),
      equals(table.status, status),
      equals(table.returned, returned && true),
      from ? gte(table.lastTime, from) : undefined,
      to ? lte(table.lastTime, to) : undefined,
      among(table.id, page.ids),
    )
    const by = order(sortable, sort, '-lastTime')
    return pageOf(db, table, where, page, ({ limit, offset }) =>
      db
        .select({ ...columns, name })
        .from(table)
        .where(where)
        .orderBy(...by)
        .limit(limit)
        .offset(offset),
    )
  },
  many: (ids: string[]) =>
    db
      .select({ ...columns, name })
      .from(table)
      .where(inArray(table.id, ids)),
  setStatus: (ids: string[], status: ErrorStatus) =>
    db.update(table).set({ status, returned: false }).where(inArray(table.id, ids)),
  /** @param mayAdd decides whether an unknown kind of error may be stored */
  async count(occurrence: Occurrence, mayAdd: () => boolean = () => true) {
    const { source, message, stack = '', page = '', build = '', traceId = '' } = occurrence
    const fingerprint = fingerprintOf(occurrence)
    const latest = { message, stack, page, build, traceId, lastTime: now() }
    const known = await db
      .update(table)
      .set({
        ...latest,
        count: sql`${table.count} + 1`,
        returned: sql`${table.returned} or ${table.status} = 'done'`,
        status: sql`case when ${table.status} = 'done' then 'open' else ${table.status} end`,
      })
      .where(eq(table.fingerprint, fingerprint))
      .returning({ id: table.id })
    if (known.length > 0 || !mayAdd()) return
    if ((await db.$count(table, eq(table.source, source))) >= maxKinds[source]) {
      const oldest = db
        .select({ id: table.id })
        .from(table)
        .where(eq(table.source, source))
        .orderBy(table.lastTime)
        .limit(1)
      await db.delete(table).where(inArray(table.id, oldest))
    }
    await db
      .insert(table)
      .values({ ...latest, fingerprint, source, count: 1, firstTime: now(), status: 'open' })
      .onConflictDoNothing()
  },
})
