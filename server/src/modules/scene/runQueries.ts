import { minuteMs } from '@iot/shared/contract/duration'
import { and, arrayContains, eq, gt, isNull, notInArray, sql } from 'drizzle-orm'
import { transaction, type Db } from '../../core/db/db'
import { scene, sceneRun } from '../../tables/scene'

/** A claim that was not renewed for this many seconds is free to be taken over. */
const claimExpirySeconds = 20

export type Run = typeof sceneRun.$inferSelect
export type SceneKey = { projectId: number; id: string }

/** Writes the run log and the claims on runs that have not ended. */
export const runQueries = (db: Db) => ({
  /**
   * Inserts a run unless another one began within the silence period of the scene; returns undefined then. The scene is
   * locked first, because two processes may find two of its triggers met at the same moment: what follows the lock sees
   * the run of the other.
   */
  insertUnlessSilent: (row: typeof sceneRun.$inferInsert): Promise<Run | undefined> =>
    transaction(db, async (tx) => {
      const [lockedScene] = await tx
        .select({ silenceMinutes: scene.silenceMinutes })
        .from(scene)
        .where(and(eq(scene.projectId, row.projectId), eq(scene.id, row.sceneId)))
        .for('no key update')
      const startMs = row.dueTime ? Date.parse(row.dueTime) : Date.now()
      const silenceStart = startMs - (lockedScene?.silenceMinutes ?? 0) * minuteMs
      const isSilent =
        silenceStart < startMs &&
        (await tx.$count(
          sceneRun,
          and(
            eq(sceneRun.sceneId, row.sceneId),
            notInArray(sceneRun.status, ['skipped', 'missed']),
            gt(
              sql`coalesce(${sceneRun.dueTime}, ${sceneRun.createTime})`,
              new Date(silenceStart).toISOString(),
            ),
          ),
        )) > 0
      return isSilent ? undefined : runQueries(tx).insertRun(row)
    }),
  /** Inserts a run; returns undefined if another process has inserted the same due time. */
  insertRun: async (row: typeof sceneRun.$inferInsert): Promise<Run | undefined> =>
    (await db.insert(sceneRun).values(row).onConflictDoNothing().returning())[0],
  updateRun: (run: Run, change: Partial<Run>) =>
    db
      .update(sceneRun)
      .set(change)
      .where(and(eq(sceneRun.id, run.id), eq(sceneRun.claimedBy, run.claimedBy))),
  renewClaims: (claimedBy: string) =>
    db
      .update(sceneRun)
      .set({ claimTime: sql`now()` })
      .where(and(eq(sceneRun.claimedBy, claimedBy), eq(sceneRun.status, 'running'))),
  /** Takes over runs whose claim has expired; each run goes to only one of the processes that call this. */
  takeOver: (claimedBy: string) =>
    db
      .update(sceneRun)
      .set({ claimedBy, claimTime: sql`now()` })
      .where(
        and(
          eq(sceneRun.status, 'running'),
          sql`${sceneRun.claimTime} < now() - make_interval(secs => ${claimExpirySeconds})`,
        ),
      )
      .returning(),
  findByTask: async (id: string) =>
    (
      await db
        .select()
        .from(sceneRun)
        .where(arrayContains(sceneRun.taskIds, [id]))
    )[0],
  countOpenRuns: async ({ projectId, id }: SceneKey) =>
    db.$count(
      sceneRun,
      and(eq(sceneRun.projectId, projectId), eq(sceneRun.sceneId, id), isNull(sceneRun.doneTime)),
    ),
})
export type RunQueries = ReturnType<typeof runQueries>
