import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { now } from '../../../tables/columns'
import { secondFactor as table } from '../../../tables/secondFactor'

export const secondFactorQueries = (db: Db) => {
  const active = (userId: string) => and(eq(table.userId, userId), isNotNull(table.since))
  const one = async (rows: PromiseLike<unknown[]>) => (await rows).length === 1
  const returning = { id: table.userId }
  return {
    async of(userId: string) {
      const [row] = await db.select().from(table).where(eq(table.userId, userId))
      return row
    },
    async activeOf(userId: string) {
      const [row] = await db.select().from(table).where(active(userId))
      return row
    },
    /** Returns which of these users have an active second factor. */
    async among(userIds: string[]) {
      if (userIds.length === 0) return []
      const rows = await db
        .select(returning)
        .from(table)
        .where(and(inArray(table.userId, userIds), isNotNull(table.since)))
      return rows.map(({ id }) => id)
    },
    /** Stores a pending second factor; returns false if one is active already. */
    enrol: (userId: string, secret: string) =>
      one(
        db
          .insert(table)
          .values({ userId, secret, lastStep: 0, recovery: [] })
          .onConflictDoUpdate({
            target: table.userId,
            set: { secret },
            setWhere: isNull(table.since),
          })
          .returning(returning),
      ),
    confirm: (userId: string, secret: string, lastStep: number, recovery: string[]) =>
      one(
        db
          .update(table)
          .set({ since: now(), lastStep, recovery })
          .where(and(eq(table.userId, userId), eq(table.secret, secret), isNull(table.since)))
          .returning(returning),
      ),
    takeStep: (userId: string, step: number) =>
      one(
        db
          .update(table)
          .set({ lastStep: step })
          .where(and(active(userId), lt(table.lastStep, step)))
          .returning(returning),
      ),
    takeRecovery: (userId: string, hash: string) =>
      one(
        db
          .update(table)
          .set({ recovery: sql`array_remove(${table.recovery}, ${hash})` })
          .where(and(active(userId), sql`${hash} = any(${table.recovery})`))
          .returning(returning),
      ),
    setRecovery: (userId: string, recovery: string[]) =>
      db.update(table).set({ recovery }).where(active(userId)),
    remove: (userId: string) => one(db.delete(table).where(active(userId)).returning(returning)),
  }
}
