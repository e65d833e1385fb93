import type { MenuNode } from '@iot/shared/contract/menuNode'
import { treeOf } from '@iot/shared/contract/tree'
import type { Session } from '../../../core/serve/session'
import type { authQueries } from '../queries'

type Rows = Awaited<ReturnType<ReturnType<typeof authQueries>['menus']>>

/** The side menu of who holds this. */
export function sideMenu(
  rows: Rows,
  { permissions, menuIds }: Pick<Session, 'permissions' | 'menuIds'>,
) {
  const held = (id: string) => permissions.has('*') || menuIds.has(id)
  return treeOf(rows).nested<MenuNode>(({ id, type, name, path, routeName, icon }, children) =>
    // A folder nothing is left of leads nowhere.
    (type === 'page' ? held(id) : children.length > 0)
      ? { id, type: type === 'page' ? type : 'folder', name, path, routeName, icon, children }
      : undefined,
  )
}
