import { atom } from 'jotai'
import type { MenuNode } from '@iot/shared/contract/access/menuNode.schema'
import type { Pointer } from '@iot/shared/contract/release/release.schema'
import { mapTree } from '@iot/shared/contract/tree'
import { menuAtom } from '@iot/shared/session/permission'
import { findRemoteByPath } from '../remotes'
import { getOverrideOrigin } from '../federation/override'
import { pointerAtom } from '../federation/pointer'

/**
 * The platform's menu without the pages that no deployed build has. Release records list them, so no code has to be
 * loaded.
 */
export const servedMenuAtom = atom((get) => {
  const pointer = get(pointerAtom)
  return pointer ? filterServedMenu(pointer, get(menuAtom)) : get(menuAtom)
})

function filterServedMenu(pointer: Pointer, menu: MenuNode[]): MenuNode[] {
  const isServed = (path: string) => {
    const remote = findRemoteByPath(path)
    return (
      !remote ||
      getOverrideOrigin(remote.name) !== undefined ||
      pointer.remotes[remote.name]?.needs[path] !== undefined
    )
  }
  return mapTree<MenuNode, MenuNode>(
    menu,
    ({ children }) => children,
    (node, children) =>
      (node.type === 'page' ? isServed(node.path) : children.length > 0)
        ? { ...node, children }
        : undefined,
  )
}
