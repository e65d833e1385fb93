import { hourMs, minuteMs } from '@iot/shared/contract/duration'
import type { AppName } from '@iot/shared/contract/release/release.schema'
import type { PageHeartbeat } from '@iot/shared/contract/release/releaseCenter.schema'
import { and, desc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { releaseLoad, releaseSession } from '../../tables/release'

const timestampBefore = (ms: number) => new Date(Date.now() - ms).toISOString()

const noFaults = { crashes: 0, violations: 0 }
type FaultCounts = typeof noFaults

export const releaseQueries = (db: Db) => ({
  async recordHeartbeat(
    sessionId: string,
    { builds, loads, faults }: z.output<typeof PageHeartbeat>,
  ) {
    const usesByBuild = new Map<string, typeof releaseSession.$inferInsert & FaultCounts>()
    const findOrAddUse = (name: AppName, build: string) => {
      const key = `${name} ${build}`
      const use = usesByBuild.get(key) ?? { sessionId, name, build, ...noFaults, time: now() }
      usesByBuild.set(key, use)
      return use
    }
    for (const [name, build] of Object.entries(builds)) findOrAddUse(name, build)
    for (const { name, build, kind } of faults)
      findOrAddUse(name, build)[kind === 'crash' ? 'crashes' : 'violations']++
    if (usesByBuild.size > 0)
      await db
        .insert(releaseSession)
        .values([...usesByBuild.values()])
        .onConflictDoUpdate({
          target: [releaseSession.sessionId, releaseSession.name, releaseSession.build],
          set: {
            time: sql`excluded.time`,
            crashes: sql`${releaseSession.crashes} + excluded.crashes`,
            violations: sql`${releaseSession.violations} + excluded.violations`,
          },
        })
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
  /** Counts sessions per build: active in the last two minutes, used within a day, and failed within that day. */
  countSessions: () =>
    db
      .select({
        name: releaseSession.name,
        build: releaseSession.build,
        sessions: sql<number>`(count(*) filter (where ${releaseSession.time} >= ${timestampBefore(2 * minuteMs)}))::int`,
        used: sql<number>`count(*)::int`,
        crashed: sql<number>`(count(*) filter (where ${releaseSession.crashes} > 0))::int`,
        violated: sql<number>`(count(*) filter (where ${releaseSession.violations} > 0))::int`,
      })
      .from(releaseSession)
      .where(gte(releaseSession.time, timestampBefore(24 * hourMs)))
      .groupBy(releaseSession.name, releaseSession.build),
  /** Lists builds used within a day, because a hidden page sends no beat and may be shown again the next day. */
  async listHeldBuilds() {
    const rows = await db
      .selectDistinct({ build: releaseSession.build })
      .from(releaseSession)
      .where(gte(releaseSession.time, timestampBefore(24 * hourMs)))
    return rows.map(({ build }) => build).sort()
  },
  countLoads: () =>
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
      .where(gte(releaseLoad.time, timestampBefore(24 * hourMs)))
      .groupBy(releaseLoad.name),
  listFailures: (name: AppName) =>
    db
      .select()
      .from(releaseLoad)
      .where(and(eq(releaseLoad.name, name), isNotNull(releaseLoad.kind)))
      .orderBy(desc(releaseLoad.id))
      .limit(10),
  async removeOldRows() {
    await db.delete(releaseSession).where(lt(releaseSession.time, timestampBefore(24 * hourMs)))
    await db.delete(releaseLoad).where(lt(releaseLoad.time, timestampBefore(7 * 24 * hourMs)))
  },
})
