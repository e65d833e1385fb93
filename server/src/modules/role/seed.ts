import type { MenuRecord } from '@iot/shared/contract/release/release.schema'
import type { BuiltinRole } from '@iot/shared/contract/access/role'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { menu } from '../../tables/menu'
import { role, roleMenu, roleOffer } from '../../tables/role'

type RoleSeed = Pick<
  typeof role.$inferInsert,
  'name' | 'description' | 'deviceRights' | 'dataScope' | 'everything'
>
export const builtinRoles: Record<BuiltinRole, RoleSeed> = {
  'platform-admin': {
    name: '平台管理员',
    description: '拥有全部权限，包括以后新增的',
    everything: true,
    dataScope: 'all',
    deviceRights: ['view', 'control', 'bulkControl', 'configure'],
  },
  'project-admin': {
    name: '项目管理员',
    description: '管理所属项目的设备、空间和场景',
    everything: false,
    dataScope: 'assigned',
    deviceRights: ['view', 'control', 'bulkControl', 'configure'],
  },
  operator: {
    name: '运维值班',
    description: '查看并控制所属项目的设备',
    everything: false,
    dataScope: 'assigned',
    deviceRights: ['view', 'control', 'bulkControl'],
  },
  visitor: {
    name: '只读访客',
    description: '只能查看所属项目',
    everything: false,
    dataScope: 'assigned',
    deviceRights: ['view'],
  },
}

/** Creates the built-in roles and grants each the permissions that screens newly offer to it; an offer is made once. */
export async function seedRoles(db: Db, rows: MenuRecord[]) {
  const systemFields = { createBy: '系统', updateBy: '系统', builtin: true }
  await db
    .insert(role)
    .values(
      Object.entries(builtinRoles).map(([code, seed]) => ({ ...seed, ...systemFields, code })),
    )
    .onConflictDoNothing()

  const menus = await db.select().from(menu)
  const menuIdByKey = new Map(
    menus.map(({ id, type, routeName, permission }) => [
      type === 'button' ? permission : routeName,
      id,
    ]),
  )
  const parentById = new Map(menus.map(({ id, parentId }) => [id, parentId]))
  const roles = await db
    .select({ id: role.id, code: role.code })
    .from(role)
    .where(and(eq(role.builtin, true), eq(role.everything, false)))
  const offers = await db.select().from(roleOffer)
  const holdings = await db.select().from(roleMenu)
  const newOffers: typeof offers = []
  const newGrants: typeof holdings = []

  for (const { id: roleId, code } of roles) {
    const collectMenuIds = (pairs: typeof offers) =>
      new Set(pairs.filter((pair) => pair.roleId === roleId).map(({ menuId }) => menuId))
    const offeredIds = collectMenuIds(offers)
    const heldIds = collectMenuIds(holdings)
    const offerMenu = (menuId: string, parentId?: string) => {
      if (offeredIds.has(menuId)) return
      newOffers.push({ roleId, menuId })
      // A role whose folder or page was revoked does not receive new items in it.
      if (heldIds.has(menuId) || (parentId && !heldIds.has(parentId))) return
      newGrants.push({ roleId, menuId })
      heldIds.add(menuId)
    }
    for (const { routeName, parent, buttons } of rows.filter((row) => row.roles.includes(code))) {
      const id = menuIdByKey.get(routeName)!
      offerMenu(id, parent && menuIdByKey.get(parent))
      for (const button of buttons.filter((candidate) => candidate.roles.includes(code))) {
        const buttonId = menuIdByKey.get(button.permission)!
        // A page grants only buttons of its own, never those of another page.
        if (parentById.get(buttonId) === id) offerMenu(buttonId, id)
      }
    }
  }
  if (newOffers.length > 0) await db.insert(roleOffer).values(newOffers)
  if (newGrants.length > 0) await db.insert(roleMenu).values(newGrants)
}
