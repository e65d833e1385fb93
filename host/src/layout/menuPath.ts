import type { MenuNode } from '@iot/shared/contract/menuNode'

/** The line of menu nodes down to the one that stands for an address: itself, or the page it lies below. */
export function menuPath(menu: MenuNode[], pathname: string): MenuNode[] {
  let best: MenuNode[] = []
  const lengthOf = (line: MenuNode[]) => line.at(-1)?.path.length ?? -1
  const walk = (nodes: MenuNode[], above: MenuNode[]) => {
    for (const node of nodes) {
      const line = [...above, node]
      const covers =
        node.path !== '' && (pathname === node.path || pathname.startsWith(`${node.path}/`))
      if (
        covers &&
        (node.type === 'page' || pathname === node.path) &&
        lengthOf(line) > lengthOf(best)
      )
        best = line
      walk(node.children, line)
    }
  }
  walk(menu, [])
  return best
}

/** Every page of the tree with the names of its folders, for the search. */
export const pagesOf = (
  menu: MenuNode[],
  above: string[] = [],
): { node: MenuNode; names: string[] }[] =>
  menu.flatMap((node) => {
    const names = [...above, node.name]
    return [...(node.type === 'page' ? [{ node, names }] : []), ...pagesOf(node.children, names)]
  })
