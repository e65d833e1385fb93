import type { Db } from '../../../core/db/db'
import type { Session } from '../../../core/serve/session'
import { rightsOf } from './rights'

type Rights = Pick<Session, 'permissions' | 'menuIds' | 'projectScope'>

/** Returns why `mine` may not grant `theirs`, or undefined if it may: a user can grant only rights that they hold. */
export function exceeds(mine: Rights, theirs: Rights): string | undefined {
  if (mine.permissions.has('*')) return undefined
  for (const permission of theirs.permissions)
    if (!mine.permissions.has(permission)) return '含有您没有的权限'
  for (const id of theirs.menuIds) if (!mine.menuIds.has(id)) return '含有您没有的菜单'
  const [own, given] = [mine.projectScope, theirs.projectScope]
  if (own === 'all') return undefined
  if (given === 'all') return '数据范围超出您的项目'
  return given.every((id) => own.includes(id)) ? undefined : '含有您没有的项目'
}

/**
 * Returns why the user may not change another account that holds more rights. A reset of its password would otherwise
 * be a privilege escalation.
 */
export const exceedsUser = async (db: Db, mine: Rights, owner: Parameters<typeof rightsOf>[1]) =>
  exceeds(mine, await rightsOf(db, owner))
