import { and, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { task as table } from '../../tables/task'
import type { Db } from '../db/db'

export type TaskRow = typeof table.$inferSelect
export type TaskEnding = Partial<
  Pick<TaskRow, 'status' | 'counts' | 'reason' | 'file' | 'secrets' | 'detail'>
>

export const taskQueries = (db: Db) => ({
  insert: (row: TaskRow) => db.insert(table).values({ ...row, updateTime: databaseTime }),
  async find(id: string): Promise<TaskRow | undefined> {
    const [row] = await db.select().from(table).where(eq(table.id, id))
    return row
  },
  recent: (ownerId: string) =>
    db
      .select()
      .from(table)
      .where(and(eq(table.ownerId, ownerId), eq(table.listed, true)))
      .orderBy(desc(table.id))
      .limit(20),

  openFiles: (ownerId: string) =>
    db.$count(
      table,
      and(eq(table.ownerId, ownerId), ne(table.kind, 'control'), isNull(table.doneTime)),
    ),

  /**
   * Stores the progress.
   * @returns false if another process has closed the task, so that the claim is lost
   */
  async progress({ id, claimedBy, counts, total }: TaskRow) {
    const { rowCount } = await db
      .update(table)
      .set({ counts, total, updateTime: databaseTime })
      .where(whereClaimed(id, claimedBy))
    return rowCount === 1
  },
  /**
   * Ends a task. Unless the ending has its own counts, those last stored remain, because the counts in memory may
   * have been rolled back.
   */
  async end({ id, claimedBy }: TaskRow, ending: TaskEnding & { doneTime: string }) {
    const [row] = await db
      .update(table)
      .set({ ...ending, updateTime: databaseTime })
      .where(whereClaimed(id, claimedBy))
      .returning()
    return row
  },
  /** Claims the one-time secrets of a task; of two concurrent callers one succeeds. */
  async takeSecrets(id: string) {
    const [row] = await db
      .update(table)
      .set({ secrets: null })
      .where(and(eq(table.id, id), isNotNull(table.secrets)))
      .returning({ id: table.id })
    return row !== undefined
  },
  /** Confirms a preview; of two concurrent callers one succeeds. */
  async confirm(id: string) {
    const [row] = await db
      .update(table)
      .set({ status: 'done' })
      .where(and(eq(table.id, id), eq(table.status, 'pending'), isNotNull(table.doneTime)))
      .returning({ id: table.id })
    return row !== undefined
  },
  /**
   * Makes `undoTaskId` the task that undoes an import, instead of the previous one.
   * @returns false if another caller was faster
   */
  async claimUndo(id: string, previousTaskId: string | null, undoTaskId: string | null) {
    const undoTask = sql`${table.detail} ->> 'undoTaskId'`
    const { rowCount } = await db
      .update(table)
      .set({
        detail: sql`${table.detail} || jsonb_build_object('undoTaskId', ${undoTaskId}::text)`,
      })
      .where(and(eq(table.id, id), sql`${undoTask} is not distinct from ${previousTaskId}::text`))
    return rowCount === 1
  },
  reopen: (id: string) => db.update(table).set({ status: 'pending' }).where(eq(table.id, id)),
  giveBackSecrets: (id: string, secrets: TaskRow['secrets']) =>
    db.update(table).set({ secrets }).where(eq(table.id, id)),
  async cancel(id: string): Promise<TaskRow | undefined> {
    const [row] = await db
      .update(table)
      .set({ status: 'cancelled' })
      .where(and(eq(table.id, id), eq(table.status, 'running'), isNull(table.doneTime)))
      .returning()
    return row
  },
  /**
   * Renews the claim on these tasks and returns those it still holds with their status, which may have become
   * `cancelled`.
   */
  renewClaims: (ids: string[], claimedBy: string) =>
    db
      .update(table)
      .set({ updateTime: databaseTime })
      .where(and(inArray(table.id, ids), eq(table.claimedBy, claimedBy), isNull(table.doneTime)))
      .returning({ id: table.id, status: table.status }),
  /**
   * Returns open tasks whose claim was not renewed for `seconds`, or all open tasks if no limit is given. Control tasks
   * have no claim, because the holders of partitions carry them out.
   */
  findAbandoned: (seconds?: number) =>
    db
      .select()
      .from(table)
      .where(
        and(
          isNull(table.doneTime),
          ne(table.kind, 'control'),
          seconds === undefined
            ? undefined
            : sql`${table.updateTime} < now() - make_interval(secs => ${seconds})`,
        ),
      ),
})
export type TaskQueries = ReturnType<typeof taskQueries>

/** Claims are compared by the clock of the database, because the clocks of several machines differ. */
const databaseTime = sql`now()`

const whereClaimed = (id: string, claimedBy: string) =>
  and(eq(table.id, id), eq(table.claimedBy, claimedBy), isNull(table.doneTime))
