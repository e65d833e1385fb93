import { and, eq, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { energyDay } from '../../tables/energy'
import { job } from '../../tables/job'
import { project } from '../../tables/project'

/** Rows deleted per statement, so that locks stay short. */
const maxRowsPerDelete = 5000

export const retentionQueries = (db: Db) => ({
  /** Claims a job if no process has run it for this many hours; a new job waits that long before its first run. */
  async claimJob(name: string, hours: number) {
    await db
      .insert(job)
      .values({ name, lastTime: sql`now()` as never })
      .onConflictDoNothing()
    const claimedJobs = await db
      .update(job)
      .set({ lastTime: sql`now()` })
      .where(
        and(eq(job.name, name), lt(job.lastTime, sql`now() - make_interval(hours => ${hours})`)),
      )
      .returning({ name: job.name })
    return claimedJobs.length > 0
  },
  /** Lists projects with a retention period of their own for history. */
  async findHistoryDays() {
    const rows = await db
      .select({ projectId: project.projectId, days: project.historyDays })
      .from(project)
      .where(isNotNull(project.historyDays))
    return new Map(rows.map(({ projectId, days }) => [projectId, days!]))
  },
  /** Deletes energy of days before this one. */
  async removeEnergy(cutoffDay: string) {
    const { rowCount } = await db.delete(energyDay).where(lt(energyDay.day, cutoffDay))
    return rowCount ?? 0
  },
  /** Deletes rows older than a moment and returns their number. `filter` limits the rows. */
  async removeOlder(
    table: PgTable & { id: PgColumn },
    time: PgColumn,
    cutoff: string,
    filter?: SQL,
  ) {
    const oldestIds = db
      .select({ id: table.id })
      .from(table)
      .where(and(lt(time, cutoff), filter))
      .orderBy(time)
      .limit(maxRowsPerDelete)
    for (let removedCount = 0; ;) {
      const { rowCount } = await db.delete(table).where(inArray(table.id, oldestIds))
      removedCount += rowCount ?? 0
      if ((rowCount ?? 0) < maxRowsPerDelete) return removedCount
    }
  },
})
