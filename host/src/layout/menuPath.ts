import type { MenuNode } from '@iot/shared/contract/menuNode'
import { walk } from '@iot/shared/contract/tree'

const childrenOf = ({ children }: MenuNode) => children

/** Returns the menu nodes from the root to the page of an address, or to the page that the address is below. */
export function menuPath(menu: MenuNode[], pathname: string): MenuNode[] {
  let best: MenuNode[] = []
  const lengthOf = (line: MenuNode[]) => line.at(-1)?.path.length ?? -1
  for (const line of walk(menu, childrenOf)) {
    const { type, path } = line.at(-1)!
    const covers = path !== '' && (pathname === path || pathname.startsWith(`${path}/`))
    if (covers && (type === 'page' || pathname === path) && lengthOf(line) > lengthOf(best))
      best = [...line]
  }
  return best
}

/** Returns every page of the menu with the names of its folders, for the search. */
export const pagesOf = (menu: MenuNode[]): { node: MenuNode; names: string[] }[] =>
  Array.from(walk(menu, childrenOf), (line) => ({
    node: line.at(-1)!,
    names: line.map(({ name }) => name),
  })).filter(({ node }) => node.type === 'page')
