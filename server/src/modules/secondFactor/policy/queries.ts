import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { now } from '../../../tables/columns'
import { session } from '../../../tables/auth'
import { secondFactor as table } from '../../../tables/secondFactor'

export const secondFactorQueries = (db: Db) => {
  const whereActive = (userId: string) => and(eq(table.userId, userId), isNotNull(table.since))
  const affectsOneRow = async (rows: PromiseLike<unknown[]>) => (await rows).length === 1
  const returnedColumns = { id: table.userId }
  return {
    async findByUser(userId: string) {
      const [row] = await db.select().from(table).where(eq(table.userId, userId))
      return row
    },
    async findActive(userId: string) {
      const [row] = await db.select().from(table).where(whereActive(userId))
      return row
    },
    /** Returns which of these users have an active second factor. */
    async listActiveUserIds(userIds: string[]) {
      if (userIds.length === 0) return []
      const rows = await db
        .select(returnedColumns)
        .from(table)
        .where(and(inArray(table.userId, userIds), isNotNull(table.since)))
      return rows.map(({ id }) => id)
    },
    /** Stores a pending second factor; returns false if one is active already. */
    enrol: (userId: string, secret: string) =>
      affectsOneRow(
        db
          .insert(table)
          .values({ userId, secret, lastStep: 0, recovery: [] })
          .onConflictDoUpdate({
            target: table.userId,
            set: { secret },
            setWhere: isNull(table.since),
          })
          .returning(returnedColumns),
      ),
    confirm: (userId: string, secret: string, lastStep: number, recovery: string[]) =>
      affectsOneRow(
        db
          .update(table)
          .set({ since: now(), lastStep, recovery })
          .where(and(eq(table.userId, userId), eq(table.secret, secret), isNull(table.since)))
          .returning(returnedColumns),
      ),
    /** The sessions of the user owe no enrolment any more. */
    settleEnrolment: (userId: string) =>
      db.update(session).set({ mustEnrolSecondFactor: false }).where(eq(session.userId, userId)),
    consumeStep: (userId: string, step: number) =>
      affectsOneRow(
        db
          .update(table)
          .set({ lastStep: step })
          .where(and(whereActive(userId), lt(table.lastStep, step)))
          .returning(returnedColumns),
      ),
    consumeRecoveryCode: (userId: string, hash: string) =>
      affectsOneRow(
        db
          .update(table)
          .set({ recovery: sql`array_remove(${table.recovery}, ${hash})` })
          .where(and(whereActive(userId), sql`${hash} = any(${table.recovery})`))
          .returning(returnedColumns),
      ),
    setRecoveryCodes: (userId: string, recovery: string[]) =>
      db.update(table).set({ recovery }).where(whereActive(userId)),
    remove: (userId: string) =>
      affectsOneRow(db.delete(table).where(whereActive(userId)).returning(returnedColumns)),
  }
}
