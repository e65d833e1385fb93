import {
  devicePermissions,
  grantableDeviceRights,
  permissionCodesByDeviceRight,
} from '@iot/shared/contract/device/devicePermissions'
import type { RightGrant } from '@iot/shared/contract/access/role.schema'
import { createTree } from '@iot/shared/contract/tree'
import { and, arrayOverlaps, eq, exists, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../core/db/db'
import { menu } from '../../../tables/menu'
import { role, roleMenu } from '../../../tables/role'
import { userRole } from '../../../tables/user'

const findDeviceRights = (permission: string) =>
  grantableDeviceRights.filter((deviceRight) =>
    permissionCodesByDeviceRight[deviceRight].includes(permission),
  )

/** Lists every right with the roles that grant it: pages and buttons in the order of the menu, then device rights. */
export async function listRightGrants(db: Db): Promise<RightGrant[]> {
  const roles = await db.select().from(role).orderBy(role.id)
  const roleMenus = await db.select().from(roleMenu)
  const menus = await db.select().from(menu).orderBy(menu.sort, menu.id)
  const tree = createTree(menus)
  const grants = new Map<string, RightGrant>()
  const addGrant = ({ roleIds, ...right }: RightGrant) => {
    const knownGrant = grants.get(right.permission)
    // A code can stand at several places; the first one names the right.
    grants.set(right.permission, {
      ...(knownGrant ?? right),
      roleIds: [...new Set([...(knownGrant?.roleIds ?? []), ...roleIds])],
    })
  }
  const everythingIds = roles.filter((row) => row.everything).map(({ id }) => id)
  for (const { id, type, name, permission, status } of menus) {
    if (!permission || status === 'disabled') continue
    const path = tree.path(id).map((node) => node.name)
    const holderIds = roleMenus.filter(({ menuId }) => menuId === id).map(({ roleId }) => roleId)
    addGrant({
      permission,
      name: type === 'button' ? name : '打开页面',
      place: (type === 'button' ? path.slice(0, -1) : path).join(' / '),
      roleIds: [...everythingIds, ...holderIds],
    })
  }
  for (const { permission, title } of Object.values(devicePermissions)) {
    const deviceRights = findDeviceRights(permission)
    const holders = roles.filter((row) =>
      row.deviceRights.some((one) => deviceRights.includes(one)),
    )
    const roleIds = [...everythingIds, ...holders.map(({ id }) => id)]
    addGrant({ permission, name: title, place: '设备', roleIds })
  }
  return [...grants.values()]
}

/** Builds a condition for users with a role that grants the permission. */
export function whereHoldsPermission(db: Db, userId: PgColumn, permission: string): SQL {
  const deviceRights = findDeviceRights(permission)
  const menuGrant = db
    .select({ one: sql`1` })
    .from(roleMenu)
    .innerJoin(menu, eq(menu.id, roleMenu.menuId))
    .where(
      and(
        eq(roleMenu.roleId, role.id),
        eq(menu.permission, permission),
        eq(menu.status, 'enabled'),
      ),
    )
  return exists(
    db
      .select({ one: sql`1` })
      .from(userRole)
      .innerJoin(role, eq(role.id, userRole.roleId))
      .where(
        and(
          eq(userRole.userId, userId),
          or(
            role.everything,
            deviceRights.length > 0 ? arrayOverlaps(role.deviceRights, deviceRights) : undefined,
            exists(menuGrant),
          ),
        ),
      ),
  )
}
