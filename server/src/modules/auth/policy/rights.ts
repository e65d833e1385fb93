import { permissionCodesByDeviceRight } from '@iot/shared/contract/device/devicePermissions'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { menu } from '../../../tables/menu'
import { role, roleMenu } from '../../../tables/role'
import { user, userRole } from '../../../tables/user'

export const getAssignedProjects = ({
  allProjects,
  projectIds,
}: Pick<typeof user.$inferSelect, 'allProjects' | 'projectIds'>) =>
  allProjects ? ('all' as const) : projectIds

type AssignedProjects = ReturnType<typeof getAssignedProjects>

/** Returns the union of the rights of a user's roles. */
export async function getUserRights(db: Db, owner: { id: string; projectIds: AssignedProjects }) {
  const assignedRoles = await db
    .select({ roleId: userRole.roleId })
    .from(userRole)
    .where(eq(userRole.userId, owner.id))
  return getRightsForRoles(
    db,
    assignedRoles.map(({ roleId }) => roleId),
    owner.projectIds,
  )
}

/** Returns the current rights of a user; undefined if the account is disabled, expired or deleted. */
export async function getCurrentRights(db: Db, userId: string) {
  const isValid = or(isNull(user.expireTime), gt(user.expireTime, sql`now()`))
  const [owner] = await db
    .select()
    .from(user)
    .where(and(eq(user.id, userId), eq(user.disabled, false), isValid))
  return owner && getUserRights(db, { id: owner.id, projectIds: getAssignedProjects(owner) })
}

export async function getRightsForRoles(db: Db, roleIds: string[], projectIds: AssignedProjects) {
  return combineRights(await readRoleRights(db, roleIds), roleIds, projectIds)
}

export type RoleRights = Awaited<ReturnType<typeof readRoleRights>>

/** Reads roles with what each grants, so that the rights of many users can be combined without further queries. */
export async function readRoleRights(db: Db, roleIds: string[]) {
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
    .select({ roleId: roleMenu.roleId, id: menu.id, permission: menu.permission })
    .from(menu)
    .innerJoin(roleMenu, eq(roleMenu.menuId, menu.id))
    .where(and(inArray(roleMenu.roleId, roleIds), eq(menu.status, 'enabled')))
  return { roles, menus }
}

/** Returns the union of the rights of some of the roles that were read. */
export function combineRights(
  { roles: allRoles, menus: allMenus }: RoleRights,
  roleIds: string[],
  projectIds: AssignedProjects,
) {
  const roles = allRoles.filter(({ id }) => roleIds.includes(id))
  const menus = allMenus.filter(({ roleId }) => roleIds.includes(roleId))
  const hasAllRights = roles.some((item) => item.everything)
  const permissions = new Set(
    hasAllRights ? ['*'] : menus.map((item) => item.permission).filter(Boolean),
  )
  for (const deviceRight of roles.flatMap((item) => item.deviceRights))
    permissionCodesByDeviceRight[deviceRight].forEach((code) => permissions.add(code))
  // A role limited to assigned projects shows no others, even if the user is assigned to all projects.
  const canSeeAllProjects =
    hasAllRights || (projectIds === 'all' && roles.some((item) => item.dataScope === 'all'))
  const assignedProjectIds = projectIds === 'all' ? [] : projectIds
  return {
    roles: roles.map(({ id, name }) => ({ id, name })),
    permissions,
    menuIds: new Set(menus.map((item) => item.id)),
    projectScope: canSeeAllProjects ? ('all' as const) : assignedProjectIds,
  }
}
