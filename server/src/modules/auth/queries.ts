import { and, desc, eq, gt, gte, inArray, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { icon } from '../../tables/icon'
import { productType } from '../../tables/productType'
import { user } from '../../tables/user'
import { knownDevice, loginFailure, session } from '../../tables/auth'
import { loginLog } from '../../tables/loginLog'
import { keepFormerPassword } from './policy/newPassword'

const accountQueries = (db: Db) => ({
  /** Returns a text that changes when an icon of the library or a product type changes. */
  async getLooksVersion() {
    const times = await Promise.all(
      [icon, productType].map((table) =>
        db.select({ time: sql<string | null>`max(${table.updateTime})::text` }).from(table),
      ),
    )
    return times.map(([row]) => row?.time ?? '').join()
  },
  async findUserByName(username: string) {
    const [row] = await db.select().from(user).where(eq(user.usernameKey, username.toLowerCase()))
    return row
  },
  async findUserById(id: string) {
    const [row] = await db.select().from(user).where(eq(user.id, id))
    return row
  },
  /** Sets a password that the user chose; sessions of the user owe no change any more. */
  async setPassword(id: string, passwordHash: string) {
    await keepFormerPassword(db, id)
    await db
      .update(user)
      .set({
        passwordHash,
        passwordTime: now(),
        mustChangePassword: false,
        updateTime: now(),
        version: sql`${user.version} + 1`,
      })
      .where(eq(user.id, id))
    await db.update(session).set({ passwordDue: null }).where(eq(session.userId, id))
  },
  recordLogin: (id: string) =>
    db.update(user).set({ lastLoginTime: now(), lockedUntil: null }).where(eq(user.id, id)),
  lockUser: (id: string, lockedUntil: string | null) =>
    db.update(user).set({ lockedUntil }).where(eq(user.id, id)),
})

/** Counts failed logins by key; `failureKeys.ts` builds the keys from account, address and device. */
const loginFailureQueries = (db: Db) => ({
  async findFailure(key: string) {
    const [row] = await db.select().from(loginFailure).where(eq(loginFailure.key, key))
    return row
  },
  /** Counts a failure within a window that starts with its first failure, and returns the count. */
  async countFailure(key: string, windowStart: string) {
    const failureTime = now()
    const [row] = await db
      .insert(loginFailure)
      .values({ key, count: 1, since: failureTime })
      .onConflictDoUpdate({
        target: loginFailure.key,
        set: {
          count: sql`case when ${loginFailure.since} < ${windowStart} then 1 else ${loginFailure.count} + 1 end`,
          since: sql`case when ${loginFailure.since} < ${windowStart} then ${failureTime} else ${loginFailure.since} end`,
        },
      })
      .returning({ count: loginFailure.count })
    return row!.count
  },
  /** Counts keys with this prefix that have had a failure since; a single attempt that is being checked is none. */
  countFailuresByPrefix: (prefix: string, since: string, keysInCheck: string[]) =>
    db.$count(
      loginFailure,
      and(
        sql`starts_with(${loginFailure.key}, ${prefix})`,
        gte(loginFailure.since, since),
        or(gt(loginFailure.count, 1), notInArray(loginFailure.key, keysInCheck)),
      ),
    ),
  lock: (key: string, lockedUntil: string) =>
    db.update(loginFailure).set({ lockedUntil }).where(eq(loginFailure.key, key)),
  async decrementFailure(key: string) {
    await db
      .update(loginFailure)
      .set({ count: sql`${loginFailure.count} - 1`, lockedUntil: null })
      .where(eq(loginFailure.key, key))
    await db.delete(loginFailure).where(and(eq(loginFailure.key, key), lt(loginFailure.count, 1)))
  },
  clearFailures: (key: string) => db.delete(loginFailure).where(eq(loginFailure.key, key)),
})

const knownDeviceQueries = (db: Db) => ({
  async isKnownDevice(tokenHash: string, userId?: string) {
    const userCondition = userId === undefined ? undefined : eq(knownDevice.userId, userId)
    return (
      (await db.$count(knownDevice, and(eq(knownDevice.tokenHash, tokenHash), userCondition))) > 0
    )
  },
  /** Remembers a device; beyond `maxPerUser` the device that was not used for longest is forgotten. */
  async rememberDevice(tokenHash: string, userId: string, maxPerUser: number) {
    await db
      .insert(knownDevice)
      .values({ tokenHash, userId, lastUsed: now() })
      .onConflictDoUpdate({
        target: [knownDevice.tokenHash, knownDevice.userId],
        set: { lastUsed: now() },
      })
    const surplusDevices = await db
      .select({ id: knownDevice.id })
      .from(knownDevice)
      .where(eq(knownDevice.userId, userId))
      .orderBy(desc(knownDevice.lastUsed))
      .offset(maxPerUser)
    if (surplusDevices.length > 0)
      await db.delete(knownDevice).where(
        inArray(
          knownDevice.id,
          surplusDevices.map(({ id }) => id),
        ),
      )
  },
})

const sessionQueries = (db: Db) => ({
  logLogin: (row: Omit<typeof loginLog.$inferInsert, 'time'>) =>
    db.insert(loginLog).values({ ...row, time: now() }),
  insertSession: (row: typeof session.$inferInsert) =>
    db.insert(session).values(row).returning({ id: session.id }),
  listActiveSessions: (userId: string) =>
    db
      .select()
      .from(session)
      .where(and(eq(session.userId, userId), isNull(session.ended), gt(session.expireTime, now())))
      .orderBy(desc(session.lastSeen)),
  async endSessions(
    userId: string,
    endReason: 'logout' | 'replaced' | 'kicked',
    filter: { only?: string; except?: string } = {},
  ) {
    const rows = await db
      .update(session)
      .set({ ended: endReason })
      .where(
        and(
          eq(session.userId, userId),
          isNull(session.ended),
          filter.only ? eq(session.id, filter.only) : undefined,
          filter.except ? ne(session.id, filter.except) : undefined,
        ),
      )
      .returning({ id: session.id })
    return rows.length
  },
  /** Deletes expired sessions, old failures and devices that were not used for long. */
  async deleteExpired(cutoffTime: string, deviceUnusedSince: string) {
    await db.delete(knownDevice).where(lt(knownDevice.lastUsed, deviceUnusedSince))
    await db.delete(session).where(lt(session.expireTime, cutoffTime))
    await db.delete(loginFailure).where(lt(loginFailure.since, cutoffTime))
  },
})

export const authQueries = (db: Db) => ({
  ...accountQueries(db),
  ...loginFailureQueries(db),
  ...knownDeviceQueries(db),
  ...sessionQueries(db),
})
