import { deviceCodes } from '@iot/shared/contract/homeRights'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { menu } from '../../../tables/menu'
import { role, roleMenu } from '../../../tables/role'
import { user, userRole } from '../../../tables/user'

export const assignedTo = ({
  allProjects,
  projectIds,
}: Pick<typeof user.$inferSelect, 'allProjects' | 'projectIds'>) =>
  allProjects ? ('all' as const) : projectIds

type Assigned = ReturnType<typeof assignedTo>

/** Returns the union of the rights of a user's roles. */
export async function rightsOf(db: Db, owner: { id: string; projectIds: Assigned }) {
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

/** Returns the current rights of a user; undefined if the account is disabled, expired or deleted. */
export async function rightsNow(db: Db, userId: string) {
  const isValid = or(isNull(user.expireTime), gt(user.expireTime, sql`now()`))
  const [owner] = await db
    .select()
    .from(user)
    .where(and(eq(user.id, userId), eq(user.disabled, false), isValid))
  return owner && rightsOf(db, { id: owner.id, projectIds: assignedTo(owner) })
}

export async function rightsOfRoles(db: Db, roleIds: string[], projectIds: Assigned) {
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
  // A role limited to assigned projects shows no others, even if the user is assigned to all projects.
  const isAll =
    everything || (projectIds === 'all' && roles.some((item) => item.dataScope === 'all'))
  const assigned = projectIds === 'all' ? [] : projectIds
  return {
    roles: roles.map(({ id, name }) => ({ id, name })),
    permissions,
    menuIds: new Set(menus.map((item) => item.id)),
    projectScope: isAll ? ('all' as const) : assigned,
  }
}
