import type { AreaName, Heartbeat } from '@iot/shared/contract/releaseCenter'
import { and, desc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { releaseLoad, releaseUse } from '../../tables/release'

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const minute = 60_000
const hour = 60 * minute

export const releaseQueries = (db: Db) => ({
  async note(sessionId: string, { page, builds, loads }: z.output<typeof Heartbeat>) {
    const use = { sessionId, builds, time: now() }
    await db
      .insert(releaseUse)
      .values({ key: `${sessionId}:${page}`, ...use })
      .onConflictDoUpdate({ target: releaseUse.key, set: use })
    if (loads.length === 0) return
    await db.insert(releaseLoad).values(
      loads.map(({ name, build, ms, failure }) => ({
        time: now(),
        name,
        build,
        ms,
        kind: failure?.kind ?? null,
        detail: failure?.detail ?? '',
        trace: failure?.trace ?? '',
      })),
    )
  },
  inUse: () =>
    db
      .select()
      .from(releaseUse)
      .where(gte(releaseUse.time, ago(2 * minute))),
  /** A page that is not seen tells nothing, and may be looked at again the next day. */
  async held() {
    const rows = await db
      .select({ builds: releaseUse.builds })
      .from(releaseUse)
      .where(gte(releaseUse.time, ago(24 * hour)))
    return [...new Set(rows.flatMap(({ builds }) => Object.values(builds)))].sort()
  },
  stats: () =>
    db
      .select({
        name: releaseLoad.name,
        loads: sql<number>`count(*)::int`,
        good: sql<number>`(count(*) filter (where ${releaseLoad.kind} is null))::int`,
        p95: sql<
          number | null
        >`round(percentile_cont(0.95) within group (order by ${releaseLoad.ms}) filter (where ${releaseLoad.kind} is null))::int`,
      })
      .from(releaseLoad)
      .where(gte(releaseLoad.time, ago(24 * hour)))
      .groupBy(releaseLoad.name),
  failures: (name: AreaName) =>
    db
      .select()
      .from(releaseLoad)
      .where(and(eq(releaseLoad.name, name), isNotNull(releaseLoad.kind)))
      .orderBy(desc(releaseLoad.id))
      .limit(10),
  async sweep() {
    await db.delete(releaseUse).where(lt(releaseUse.time, ago(24 * hour)))
    await db.delete(releaseLoad).where(lt(releaseLoad.time, ago(7 * 24 * hour)))
  },
})
