import { minuteMs } from '@iot/shared/contract/duration'
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { session as sessionTable } from '../../tables/auth'
import { user } from '../../tables/user'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { createSessionRefusal } from '../../core/refusal'
import type { Session, Sessions } from '../../core/http/session'
import { getAssignedProjects, getUserRights } from './policy/rights'

/** Cache time of a session in milliseconds; `startRightsSync` drops sessions that end or change before. */
const sessionCacheMs = 10_000
const lastSeenIntervalMs = 60_000

export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

type IdlePolicy = { idleMinutes: number }

const endReasons = {
  logout: '登录已退出，请重新登录',
  replaced: '账号已在别处登录，您已被顶下线',
  kicked: '您已被踢下线',
  idle: '长时间没有操作，已自动退出，请重新登录',
}

/** Finds the session of a token with the current rights of its user. */
export function createSessionStore(db: Db, readPolicy: () => Promise<IdlePolicy>): Sessions {
  const cachedSessions = new LRUCache<string, Session>({ max: 10_000, ttl: sessionCacheMs })
  const events: Sessions['events'] = new EventEmitter()
  let cacheGeneration = 0
  /** Users of sessions with open connections by token hash, with the number of connections. */
  const watchedSessions = new Map<string, { userId: string; count: number }>()

  const find = (token: string) => findByTokenHash(hashToken(token))

  async function findByTokenHash(tokenHash: string): Promise<Session> {
    const cachedSession = cachedSessions.get(tokenHash)
    if (cachedSession) return cachedSession
    const startGeneration = cacheGeneration

    const [row] = await db
      .select({ session: sessionTable, user })
      .from(sessionTable)
      .innerJoin(user, eq(user.id, sessionTable.userId))
      .where(eq(sessionTable.tokenHash, tokenHash))
    if (!row) throw createSessionRefusal('未登录，请先登录')
    if (row.user.disabled) throw createSessionRefusal('账号已禁用')
    if (row.session.ended) throw createSessionRefusal(endReasons[row.session.ended])
    const accountExpiresAt = row.user.expireTime ? Date.parse(row.user.expireTime) : Infinity
    const expiresAt = Math.min(Date.parse(row.session.expireTime), accountExpiresAt)
    if (accountExpiresAt <= Date.now()) throw createSessionRefusal('账号已过期')
    if (expiresAt <= Date.now()) throw createSessionRefusal('登录已过期，请重新登录')
    const silentMs = Date.now() - Date.parse(row.session.lastSeen)
    if (await isTooIdle(silentMs)) {
      await db
        .update(sessionTable)
        .set({ ended: 'idle' })
        .where(eq(sessionTable.id, row.session.id))
      throw createSessionRefusal(endReasons.idle)
    }
    if (silentMs > lastSeenIntervalMs) {
      await db
        .update(sessionTable)
        .set({ lastSeen: now() })
        .where(eq(sessionTable.id, row.session.id))
    }

    const session: Session = {
      id: row.session.id,
      proof: tokenHash,
      user: {
        ...row.user,
        mustChangePassword: row.user.mustChangePassword || row.session.passwordDue !== null,
        passwordDue: row.user.mustChangePassword
          ? 'initial'
          : (row.session.passwordDue ?? undefined),
        mustEnrolSecondFactor: row.session.mustEnrolSecondFactor,
      },
      ...(await getUserRights(db, { id: row.user.id, projectIds: getAssignedProjects(row.user) })),
    }
    // A session that was read before the rights changed serves this call only and is not cached.
    if (startGeneration === cacheGeneration)
      cachedSessions.set(tokenHash, session, {
        ttl: Math.min(sessionCacheMs, Math.max(1, expiresAt - Date.now())),
      })
    return session
  }

  /**
   * Open pages sign out by themselves; this ends sessions of pages that were closed or asleep. `lastSeen` lags behind by
   * up to its interval.
   */
  async function isTooIdle(silentMs: number) {
    if (silentMs <= lastSeenIntervalMs) return false
    const { idleMinutes } = await readPolicy()
    return idleMinutes > 0 && silentMs > idleMinutes * minuteMs + lastSeenIntervalMs
  }

  /** @returns those token hashes whose sessions have ended or are gone */
  async function findEnded(tokenHashes: string[]) {
    if (tokenHashes.length === 0) return []
    // One array parameter and only the ended ones in the answer: a placeholder for each hash costs several times as much.
    const { rows } = await db.execute<{ tokenHash: string }>(sql`
      select asked.token_hash as "tokenHash" from unnest(${sql.param(tokenHashes)}::text[]) as asked(token_hash)
      where not exists (select 1 from ${sessionTable}
        where ${sessionTable.tokenHash} = asked.token_hash and ${sessionTable.ended} is null)`)
    return rows.map(({ tokenHash }) => tokenHash)
  }
  function end(userId: string) {
    cacheGeneration++
    for (const [tokenHash, { user }] of cachedSessions)
      if (user.id === userId) cachedSessions.delete(tokenHash)
    events.emit('ended', userId)
  }

  return {
    find,
    findByProof: findByTokenHash,
    async fromHeader(header: string | string[] | undefined): Promise<Session> {
      const token =
        typeof header === 'string' ? /^Bearer ([\w-]{20,100})$/.exec(header)?.[1] : undefined
      if (!token) throw createSessionRefusal('未登录，请先登录')
      return find(token)
    },
    forget() {
      cacheGeneration++
      cachedSessions.clear()
    },
    end,
    watch({ proof, user: { id: userId } }) {
      const watchedSession = watchedSessions.get(proof) ?? { userId, count: 0 }
      watchedSessions.set(proof, watchedSession)
      watchedSession.count++
      return () => {
        if (--watchedSession.count === 0) watchedSessions.delete(proof)
      }
    },
    async dropEnded() {
      const usersByHash = new Map<string, string>()
      for (const [tokenHash, { user }] of cachedSessions) usersByHash.set(tokenHash, user.id)
      for (const [tokenHash, { userId }] of watchedSessions) usersByHash.set(tokenHash, userId)
      const endedHashes = await findEnded([...usersByHash.keys()])
      new Set(endedHashes.map((tokenHash) => usersByHash.get(tokenHash)!)).forEach(end)
    },
    events,
  }
}
