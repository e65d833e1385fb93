import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { errorLog as table } from '../../tables/errorLog'

type Occurrence = {
  source: 'browser' | 'server' | 'device' | 'broker'
  message: string
  stack?: string
  page?: string
  build?: string
  traceId?: string
}

/** Strangers can invent errors: past this many kinds only known ones are counted. */
const kinds = 5_000

/** Numbers, ids and quoted words differ between occurrences of one error; the place it comes from does not. */
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
  async count(occurrence: Occurrence) {
    const { source, message, stack = '', page = '', build = '', traceId = '' } = occurrence
    const fingerprint = fingerprintOf(occurrence)
    const latest = { message, stack, page, build, traceId, lastTime: now() }
    const known = await db
      .update(table)
      .set({
        ...latest,
        count: sql`${table.count} + 1`,
        status: sql`case when ${table.status} = 'done' then 'open' else ${table.status} end`,
      })
      .where(eq(table.fingerprint, fingerprint))
      .returning({ id: table.id })
    if (known.length > 0 || (await db.$count(table)) >= kinds) return
    await db
      .insert(table)
      .values({ ...latest, fingerprint, source, count: 1, firstTime: now(), status: 'open' })
      .onConflictDoNothing()
  },
})
