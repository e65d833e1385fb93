import type { MenuRecord } from '@iot/shared/contract/release'
import type { BuiltinRole } from '@iot/shared/contract/role'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { menu } from '../../tables/menu'
import { role, roleMenu, roleOffer } from '../../tables/role'

type Seed = Pick<
  typeof role.$inferInsert,
  'name' | 'description' | 'deviceRights' | 'dataScope' | 'everything'
>
export const builtin: Record<BuiltinRole, Seed> = {
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
  const by = { createBy: '系统', updateBy: '系统', builtin: true }
  await db
    .insert(role)
    .values(Object.entries(builtin).map(([code, seed]) => ({ ...seed, ...by, code })))
    .onConflictDoNothing()

  const menus = await db.select().from(menu)
  const ids = new Map(
    menus.map(({ id, type, routeName, permission }) => [
      type === 'button' ? permission : routeName,
      id,
    ]),
  )
  const placeOf = new Map(menus.map(({ id, parentId }) => [id, parentId]))
  const roles = await db
    .select({ id: role.id, code: role.code })
    .from(role)
    .where(and(eq(role.builtin, true), eq(role.everything, false)))
  const offers = await db.select().from(roleOffer)
  const holdings = await db.select().from(roleMenu)
  const offered: typeof offers = []
  const given: typeof holdings = []

  for (const { id: roleId, code } of roles) {
    const menusOf = (pairs: typeof offers) =>
      new Set(pairs.filter((pair) => pair.roleId === roleId).map(({ menuId }) => menuId))
    const known = menusOf(offers)
    const held = menusOf(holdings)
    const offer = (menuId: string, aboveId?: string) => {
      if (known.has(menuId)) return
      offered.push({ roleId, menuId })
      // A role whose folder or page was revoked does not receive new items in it.
      if (held.has(menuId) || (aboveId && !held.has(aboveId))) return
      given.push({ roleId, menuId })
      held.add(menuId)
    }
    for (const { routeName, parent, buttons } of rows.filter((row) => row.roles.includes(code))) {
      const id = ids.get(routeName)!
      offer(id, parent && ids.get(parent))
      for (const button of buttons.filter((one) => one.roles.includes(code))) {
        const buttonId = ids.get(button.permission)!
        // A page grants only buttons of its own, never those of another page.
        if (placeOf.get(buttonId) === id) offer(buttonId, id)
      }
    }
  }
  if (offered.length > 0) await db.insert(roleOffer).values(offered)
  if (given.length > 0) await db.insert(roleMenu).values(given)
}
