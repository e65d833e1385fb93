import { createHash } from 'node:crypto'
import type { ErrorStatus, errorLogSchemas } from '@iot/shared/contract/platform/errorLog.schema'
import { and, eq, getTableColumns, gte, inArray, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import { whereIdIn, contains, whereEquals, buildOrderBy } from '../../core/db/rows'
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

type PageInput = z.output<typeof errorLogSchemas.page.input> & PageQuery
const columns = getTableColumns(table)
const { id, message, source, count, firstTime, lastTime, status } = columns
const sortableColumns = { id, source, count, firstTime, lastTime, status }
/** Name of an error in the audit log and other lists. */
const name = sql<string>`left(${message}, 60)`

/**
 * Numbers, ids and quoted words differ between occurrences of one error, so they are masked; the origin in the stack
 * stays.
 */
function computeFingerprint({ source, message, stack = '' }: Occurrence) {
  const maskedMessage = message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+|(["'“`]).*?["'”`]/gi, '#')
  const stackOrigin =
    stack
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line.startsWith('at ') || line.includes('@')) ?? ''
  return createHash('sha256')
    .update(`${source}\n${maskedMessage}\n${stackOrigin.replace(/[?#:].*$/, '')}`)
    .digest('base64url')
}

export const errorLogQueries = (db: Db) => ({
  page({ message, source, status, returned, from, to, sort, ...page }: PageInput) {
    const where = and(
      contains(table.message, message),
      whereEquals(table.source, source),
      whereEquals(table.status, status),
      whereEquals(table.returned, returned && true),
      from ? gte(table.lastTime, from) : undefined,
      to ? lte(table.lastTime, to) : undefined,
      whereIdIn(table.id, page.ids),
    )
    const sorting = buildOrderBy(sortableColumns, sort, '-lastTime')
    return readPage(db, table, where, page, ({ limit, offset }) =>
      db
        .select({ ...columns, name })
        .from(table)
        .where(where)
        .orderBy(...sorting)
        .limit(limit)
        .offset(offset),
    )
  },
  findByIds: (ids: string[]) =>
    db
      .select({ ...columns, name })
      .from(table)
      .where(inArray(table.id, ids)),
  setStatus: (ids: string[], status: ErrorStatus) =>
    db.update(table).set({ status, returned: false }).where(inArray(table.id, ids)),
  /** @param canAddKind decides whether an unknown kind of error may be stored */
  async recordOccurrence(occurrence: Occurrence, canAddKind: () => boolean = () => true) {
    const { source, message, stack = '', page = '', build = '', traceId = '' } = occurrence
    const fingerprint = computeFingerprint(occurrence)
    const latestFields = { message, stack, page, build, traceId, lastTime: now() }
    const updatedRows = await db
      .update(table)
      .set({
        ...latestFields,
        count: sql`${table.count} + 1`,
        returned: sql`${table.returned} or ${table.status} = 'done'`,
        status: sql`case when ${table.status} = 'done' then 'open' else ${table.status} end`,
      })
      .where(eq(table.fingerprint, fingerprint))
      .returning({ id: table.id })
    if (updatedRows.length > 0 || !canAddKind()) return
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
      .values({ ...latestFields, fingerprint, source, count: 1, firstTime: now(), status: 'open' })
      .onConflictDoNothing()
  },
})
