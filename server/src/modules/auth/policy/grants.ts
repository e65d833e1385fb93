import type { Db } from '../../../core/db/db'
import type { Session } from '../../../core/http/session'
import { getUserRights } from './rights'

type Rights = Pick<Session, 'permissions' | 'menuIds' | 'projectScope'>

/** Returns why `ownRights` may not grant `grantedRights`, or undefined if it may: a user can grant only rights that they hold. */
export function getGrantRefusal(ownRights: Rights, grantedRights: Rights): string | undefined {
  if (ownRights.permissions.has('*')) return undefined
  for (const permission of grantedRights.permissions)
    if (!ownRights.permissions.has(permission)) return '含有您没有的权限'
  for (const id of grantedRights.menuIds) if (!ownRights.menuIds.has(id)) return '含有您没有的菜单'
  const [ownScope, grantedScope] = [ownRights.projectScope, grantedRights.projectScope]
  if (ownScope === 'all') return undefined
  if (grantedScope === 'all') return '数据范围超出您的项目'
  return grantedScope.every((id) => ownScope.includes(id)) ? undefined : '含有您没有的项目'
}

/**
 * Returns why the user may not change another account that holds more rights. A reset of its password would otherwise
 * be a privilege escalation.
 */
export const getUserChangeRefusal = async (
  db: Db,
  ownRights: Rights,
  owner: Parameters<typeof getUserRights>[1],
) => getGrantRefusal(ownRights, await getUserRights(db, owner))
