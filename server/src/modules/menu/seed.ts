import type { MenuRecord } from '@iot/shared/contract/release'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { menu } from '../../tables/menu'

type Row = typeof menu.$inferInsert

/**
 * Inserts missing menus. If there are top-level menus of another origin, the new ones are placed after them. Existing
 * menus are recognised by route name, buttons by permission code.
 * @returns whether any menu was missing
 */
export async function seedMenus(db: Db, rows: MenuRecord[]) {
  const known = await db.select().from(menu)
  const ids = new Map(known.map(({ id, routeName }) => [routeName, id]))
  const codes = new Set(known.filter((row) => row.type === 'button').map((row) => row.permission))
  const top = known.filter((row) => row.parentId === null)
  const isOfAll = top.every(({ routeName }) => rows.some((row) => row.routeName === routeName))
  const siblings = new Map([['', isOfAll ? 0 : Math.max(...top.map(({ sort }) => sort))]])
  const missing: Row[] = []
  const add = (row: Pick<Row, 'type' | 'name' | 'permission' | 'sort'> & Partial<Row>) => {
    const id = uuidv7()
    const by = { createBy: '系统', updateBy: '系统', builtin: true }
    const place = { path: '', routeName: '', icon: '', visible: true, status: 'enabled' as const }
    missing.push({ ...by, ...place, ...row, id })
    return id
  }

  for (const { parent, buttons, roles: _, ...row } of rows) {
    const sort = (siblings.get(parent) ?? 0) + 1
    siblings.set(parent, sort)
    const parentId = parent === '' ? null : ids.get(parent)
    const id = ids.get(row.routeName) ?? add({ ...row, parentId, sort })
    ids.set(row.routeName, id)
    for (const [index, { name, permission }] of buttons.entries())
      if (!codes.has(permission)) {
        add({ type: 'button', parentId: id, name, permission, sort: index + 1 })
        codes.add(permission)
      }
  }
  if (missing.length > 0) await db.insert(menu).values(missing)
  return missing.length > 0
}
