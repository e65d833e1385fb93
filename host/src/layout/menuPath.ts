import type { MenuNode } from '@iot/shared/contract/access/menuNode.schema'
import { walkPaths } from '@iot/shared/contract/tree'

const getChildren = ({ children }: MenuNode) => children

/** Returns the menu nodes from the root to the page of an address, or to the page that the address is below. */
export function findMenuPath(menu: MenuNode[], pathname: string): MenuNode[] {
  let longestPath: MenuNode[] = []
  const getPathLength = (trail: MenuNode[]) => trail.at(-1)?.path.length ?? -1
  for (const nodes of walkPaths(menu, getChildren)) {
    const { type, path } = nodes.at(-1)!
    const isCovered = path !== '' && (pathname === path || pathname.startsWith(`${path}/`))
    if (
      isCovered &&
      (type === 'page' || pathname === path) &&
      getPathLength(nodes) > getPathLength(longestPath)
    )
      longestPath = [...nodes]
  }
  return longestPath
}

/** Returns every page of the menu with the names of its folders, for the search. */
export const listMenuPages = (menu: MenuNode[]): { node: MenuNode; names: string[] }[] =>
  Array.from(walkPaths(menu, getChildren), (nodes) => ({
    node: nodes.at(-1)!,
    names: nodes.map(({ name }) => name),
  })).filter(({ node }) => node.type === 'page')
