import type { MenuNode } from '@iot/shared/contract/access/menuNode.schema'
import { createTree } from '@iot/shared/contract/tree'
import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import type { Session } from '../../../core/http/session'
import { menu } from '../../../tables/menu'

/** Returns the side menu for these permissions and menus. */
export async function buildSideMenu(
  db: Db,
  { permissions, menuIds }: Pick<Session, 'permissions' | 'menuIds'>,
) {
  const rows = await db
    .select()
    .from(menu)
    .where(and(eq(menu.status, 'enabled'), eq(menu.visible, true), ne(menu.type, 'button')))
    .orderBy(menu.sort, menu.id)
  const canSeeMenu = (id: string) => permissions.has('*') || menuIds.has(id)
  return createTree(rows).nested<MenuNode>(({ id, type, name, path, routeName, icon }, children) =>
    // A folder without visible pages is left out.
    (type === 'page' ? canSeeMenu(id) : children.length > 0)
      ? { id, type: type === 'page' ? type : 'folder', name, path, routeName, icon, children }
      : undefined,
  )
}
