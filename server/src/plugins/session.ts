import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { session as sessionTable } from '../modules/auth/table'
import { menu } from '../modules/menu/table'
import { role, roleMenu } from '../modules/role/table'
import { user, userRole } from '../modules/user/table'
import { now } from './columns'
import type { Db } from './db'
import { notSignedIn } from './refusal'

export type Session = {
  id: string
  user: { id: string; username: string; name: string; mustChangePassword: boolean }
  roles: { id: string; name: string }[]
  permissions: ReadonlySet<string>
  /** Ids of the menus the roles hold; all of them when `permissions` has `*`. */
  menuIds: ReadonlySet<string>
  projectScope: 'all' | number[]
}

/** Who calls what needs no session. */
export const anonymous: Session = {
  id: '',
  user: { id: '', username: '', name: '', mustChangePassword: false },
  roles: [],
  permissions: new Set(),
  menuIds: new Set(),
  projectScope: [],
}

/** How long another process may go on with rights that were taken away here; this process forgets at once. */
const memory = 10_000
const seenEvery = 60_000

export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

const reasons = {
  logout: '登录已退出，请重新登录',
  replaced: '账号已在别处登录，您已被顶下线',
  kicked: '您已被踢下线',
}

/** Finds the session of a token, with the user's rights as they stand. */
export function openSessions(db: Db) {
  const known = new Map<string, { session: Session; until: number; expires: number }>()

  async function find(token: string): Promise<Session> {
    const tokenHash = hashToken(token)
    const kept = known.get(tokenHash)
    if (kept && kept.until > Date.now() && kept.expires > Date.now()) return kept.session
    known.delete(tokenHash)

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
      user: row.user,
      ...(await rightsOf(db, row.user)),
    }
    if (known.size > 10_000) known.clear()
    known.set(tokenHash, { session, until: Date.now() + memory, expires })
    return session
  }

  return {
    find,
    /** Sa-Token's convention: exactly one space after Bearer; a bare token is refused. */
    async fromHeader(header: string | string[] | undefined): Promise<Session> {
      const token =
        typeof header === 'string' ? /^Bearer ([\w-]{20,100})$/.exec(header)?.[1] : undefined
      if (!token) throw notSignedIn('未登录，请先登录')
      return find(token)
    },
    /** Rights, users or sessions changed. */
    forget: () => known.clear(),
  }
}
export type Sessions = ReturnType<typeof openSessions>

/** What the roles of a user hold together. */
export async function rightsOf(db: Db, owner: { id: string; projectIds: number[] }) {
  const held = await db
    .select({ roleId: userRole.roleId })
    .from(userRole)
    .where(eq(userRole.userId, owner.id))
  return rightsOfRoles(
    db,
    held.map(({ roleId }) => roleId),
    owner.projectIds,
  )
}

export async function rightsOfRoles(db: Db, roleIds: string[], projectIds: number[]) {
  const roles = await db
    .select({
      id: role.id,
      name: role.name,
      everything: role.everything,
      dataScope: role.dataScope,
      deviceRights: role.deviceRights,
    })
    .from(role)
    .where(inArray(role.id, roleIds))
    .orderBy(role.id)
  const menus = await db
    .selectDistinct({ id: menu.id, permission: menu.permission })
    .from(menu)
    .innerJoin(roleMenu, eq(roleMenu.menuId, menu.id))
    .where(and(inArray(roleMenu.roleId, roleIds), eq(menu.status, 'enabled')))
  const everything = roles.some((item) => item.everything)
  const permissions = new Set(
    everything ? ['*'] : menus.map((item) => item.permission).filter(Boolean),
  )
  for (const right of roles.flatMap((item) => item.deviceRights))
    deviceCodes[right].forEach((code) => permissions.add(code))
  const all = roles.some((item) => item.dataScope === 'all') && projectIds.length === 0
  return {
    roles: roles.map(({ id, name }) => ({ id, name })),
    permissions,
    menuIds: new Set(menus.map((item) => item.id)),
    projectScope: everything || all ? ('all' as const) : projectIds,
  }
}

/** The device rights of a role as permission codes of the home screen. */
export const deviceCodes = {
  view: ['home:device:view'],
  control: ['home:device:control'],
  bulkControl: ['home:device:bulkControl', 'home:scene:run'],
  configure: ['home:device:configure'],
}
