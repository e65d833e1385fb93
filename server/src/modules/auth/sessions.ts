import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { session as sessionTable } from '../../tables/auth'
import { user } from '../../tables/user'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { notSignedIn } from '../../core/refusal'
import type { Session, Sessions } from '../../core/serve/session'
import { assignedTo, rightsOf } from './policy/rights'

/**
 * Cache time of a session in milliseconds: another process may use revoked rights that long, this process not at all.
 */
const memory = 10_000
const seenEvery = 60_000

export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

const reasons = {
  logout: '登录已退出，请重新登录',
  replaced: '账号已在别处登录，您已被顶下线',
  kicked: '您已被踢下线',
}

/** Finds the session of a token with the current rights of its user. */
export function openSessions(db: Db): Sessions {
  const known = new LRUCache<string, Session>({ max: 10_000, ttl: memory })
  const events: Sessions['events'] = new EventEmitter()
  let forgotten = 0

  const find = (token: string) => proved(hashToken(token))

  async function proved(tokenHash: string): Promise<Session> {
    const kept = known.get(tokenHash)
    if (kept) return kept
    const asOf = forgotten

    const [row] = await db
      .select({ session: sessionTable, user })
      .from(sessionTable)
      .innerJoin(user, eq(user.id, sessionTable.userId))
      .where(eq(sessionTable.tokenHash, tokenHash))
    if (!row) throw notSignedIn('未登录，请先登录')
    if (row.user.disabled) throw notSignedIn('账号已禁用')
    if (row.session.ended) throw notSignedIn(reasons[row.session.ended])
    const accountEnd = row.user.expireTime ? Date.parse(row.user.expireTime) : Infinity
    const expires = Math.min(Date.parse(row.session.expireTime), accountEnd)
    if (accountEnd <= Date.now()) throw notSignedIn('账号已过期')
    if (expires <= Date.now()) throw notSignedIn('登录已过期，请重新登录')
    if (Date.now() - Date.parse(row.session.lastSeen) > seenEvery) {
      await db
        .update(sessionTable)
        .set({ lastSeen: now() })
        .where(eq(sessionTable.id, row.session.id))
    }

    const session: Session = {
      id: row.session.id,
      proof: tokenHash,
      user: row.user,
      ...(await rightsOf(db, { id: row.user.id, projectIds: assignedTo(row.user) })),
    }
    // A session that was read before the rights changed serves this call only and is not cached.
    if (asOf === forgotten)
      known.set(tokenHash, session, { ttl: Math.min(memory, Math.max(1, expires - Date.now())) })
    return session
  }

  return {
    find,
    proved,
    async fromHeader(header: string | string[] | undefined): Promise<Session> {
      const token =
        typeof header === 'string' ? /^Bearer ([\w-]{20,100})$/.exec(header)?.[1] : undefined
      if (!token) throw notSignedIn('未登录，请先登录')
      return find(token)
    },
    forget() {
      forgotten++
      known.clear()
    },
    end(userId) {
      forgotten++
      for (const [tokenHash, { user }] of known) if (user.id === userId) known.delete(tokenHash)
      events.emit('ended', userId)
    },
    events,
  }
}
