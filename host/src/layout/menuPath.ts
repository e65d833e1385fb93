import type { MenuNode } from '@iot/shared/contract/menuNode'
import { walk } from '@iot/shared/contract/tree'

const childrenOf = ({ children }: MenuNode) => children

/** The line of menu nodes down to the one that stands for an address: itself, or the page it lies below. */
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

/** Every page of the tree with the names of its folders, for the search. */
export const pagesOf = (menu: MenuNode[]): { node: MenuNode; names: string[] }[] =>
  Array.from(walk(menu, childrenOf), (line) => ({
    node: line.at(-1)!,
    names: line.map(({ name }) => name),
  })).filter(({ node }) => node.type === 'page')
