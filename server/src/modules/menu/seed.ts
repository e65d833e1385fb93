import type { MenuRecord } from '@iot/shared/contract/release/release.schema'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { menu } from '../../tables/menu'

type NewMenu = typeof menu.$inferInsert

/**
 * Inserts missing menus. If there are top-level menus of another origin, the new ones are placed after them. Existing
 * menus are recognised by route name, buttons by permission code.
 * @returns whether any menu was missing
 */
export async function seedMenus(db: Db, rows: MenuRecord[]) {
  const existingMenus = await db.select().from(menu)
  const idByRouteName = new Map(existingMenus.map(({ id, routeName }) => [routeName, id]))
  const buttonCodes = new Set(
    existingMenus.filter((row) => row.type === 'button').map((row) => row.permission),
  )
  const topMenus = existingMenus.filter((row) => row.parentId === null)
  const hasOnlySeededMenus = topMenus.every(({ routeName }) =>
    rows.some((row) => row.routeName === routeName),
  )
  const lastSortByParent = new Map([
    ['', hasOnlySeededMenus ? 0 : Math.max(...topMenus.map(({ sort }) => sort))],
  ])
  const missingMenus: NewMenu[] = []
  const addMissing = (
    row: Pick<NewMenu, 'type' | 'name' | 'permission' | 'sort'> & Partial<NewMenu>,
  ) => {
    const id = uuidv7()
    const systemFields = { createBy: '系统', updateBy: '系统', builtin: true }
    const defaults = {
      path: '',
      routeName: '',
      icon: '',
      visible: true,
      status: 'enabled' as const,
    }
    missingMenus.push({ ...systemFields, ...defaults, ...row, id })
    return id
  }

  for (const { parent, buttons, roles: _, ...row } of rows) {
    const sort = (lastSortByParent.get(parent) ?? 0) + 1
    lastSortByParent.set(parent, sort)
    const parentId = parent === '' ? null : idByRouteName.get(parent)
    const id = idByRouteName.get(row.routeName) ?? addMissing({ ...row, parentId, sort })
    idByRouteName.set(row.routeName, id)
    for (const [index, { name, permission }] of buttons.entries())
      if (!buttonCodes.has(permission)) {
        addMissing({ type: 'button', parentId: id, name, permission, sort: index + 1 })
        buttonCodes.add(permission)
      }
  }
  if (missingMenus.length > 0) await db.insert(menu).values(missingMenus)
  return missingMenus.length > 0
}
