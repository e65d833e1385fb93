import { foldSearch } from './text'

/** A row that names the row it stands below, such as a menu, a space or a category. */
export type TreeRow = { id: string; parentId: string | null }
/** Where a row is put: below this parent, before the sibling at `index`, counted without the row itself. */
export type Place = { parentId: string | null; index: number }

/**
 * Rows as a tree; siblings keep the order of the rows. Every answer takes linear time and no depth of stack. Rows whose
 * parent is not among them, or that stand in a circle, are below nothing: no walk from the top meets them.
 * @example treeOf(menus).path(id).map(({ name }) => name).join(' / ')
 */
export const treeOf = <T extends TreeRow>(rows: readonly T[]) => growingTree(rows).tree

/** The same, where rows come while it is asked: `add` puts one below its parent, as the last. */
export function growingTree<T extends TreeRow>(rows: readonly T[]) {
  const byId = new Map<string, T>()
  const below = new Map<string | null, T[]>()
  const add = (row: T) => {
    byId.set(row.id, row)
    const siblings = below.get(row.parentId)
    if (siblings) siblings.push(row)
    else below.set(row.parentId, [row])
  }
  rows.forEach(add)
  const children = (id: string | null): readonly T[] => below.get(id) ?? []
  const childrenOf = (row: T) => children(row.id)

  const tree = {
    get: (id: string | null | undefined) => (id ? byId.get(id) : undefined),
    /** Those right below a row; at the top for null. */
    children,
    /** From the top down to the row itself. */
    path(id: string | null | undefined): T[] {
      const line = new Set<T>()
      for (
        let at = id && byId.get(id);
        at && !line.has(at);
        at = at.parentId && byId.get(at.parentId)
      )
        line.add(at)
      return [...line].reverse()
    },
    /** The ids of a row and of all below it. */
    within(id: string): Set<string> {
      const found = new Set([id])
      // A set that grows while it is walked is walked to its new end.
      for (const one of found) for (const row of children(one)) found.add(row.id)
      return found
    },
    /** How many levels a row and what is below it take. */
    levels(id: string): number {
      const met = new Set([id])
      let count = 0
      for (let level = [id]; level.length > 0; count++) {
        level = level.flatMap((one) =>
          children(one).flatMap((row) => (met.has(row.id) ? [] : row.id)),
        )
        for (const one of level) met.add(one)
      }
      return count
    },
    /** All rows, parents before children. */
    ordered: () => Array.from(walk(children(null), childrenOf), (line) => line.at(-1)!),
    /** Each row made into something else, with what its children were made into. */
    nested: <N>(make: (row: T, children: N[]) => N | undefined) =>
      mapTree(children(null), childrenOf, make),
  }
  return { tree, add }
}
export type Tree<T extends TreeRow> = ReturnType<typeof treeOf<T>>

/**
 * The line from a root to each node, parents before children. It is one array that changes as the walk goes on: copy
 * what is to be kept.
 */
export function* walk<N>(roots: readonly N[], below: (node: N) => readonly N[]): Generator<N[]> {
  const line: N[] = []
  const open = [roots.values()]
  for (let nodes; (nodes = open.at(-1));) {
    const next = nodes.next()
    if (next.done) {
      open.pop()
      line.pop()
    } else {
      line.push(next.value)
      yield line
      open.push(below(next.value).values())
    }
  }
}

/** A tree made of another from the leaves up; a node made into undefined is left out with all below it. */
export function mapTree<N, M>(
  roots: readonly N[],
  below: (node: N) => readonly N[],
  make: (node: N, children: M[]) => M | undefined,
): M[] {
  const nodes = Array.from(walk(roots, below), (line) => ({
    node: line.at(-1)!,
    depth: line.length,
  }))
  /** By depth what is made and not yet taken by the node above, last first. */
  const made: M[][] = [[], []]
  for (const { node, depth } of nodes.reverse()) {
    const one = make(node, made[depth + 1]?.reverse() ?? [])
    made[depth + 1] = []
    if (one !== undefined) (made[depth] ??= []).push(one)
  }
  return made[1]!.reverse()
}

type Named = TreeRow & { name: string }

/** Names from the top down to a row, as lists and files write where it stands: 照明 / 灯. */
export const namesTo = <T extends Named>(tree: Tree<T>, id: string | null | undefined) =>
  tree
    .path(id)
    .map(({ name }) => name)
    .join(' / ')

const squeezed = (text: string) => text.trim().replace(/\s*\/\s*/g, '/')

/** The rows that such names mean: none, one, or several that are called the same. A name may hold a slash itself. */
export function rowsAt<T extends Named>(tree: Tree<T>, names: string): T[] {
  const wanted = squeezed(names)
  const below = (parentId: string | null, above: string): T[] =>
    tree.children(parentId).flatMap((row) => {
      const here = above + squeezed(row.name)
      if (here === wanted) return [row]
      return wanted.startsWith(`${here}/`) ? below(row.id, `${here}/`) : []
    })
  return below(null, '')
}

/** Rows that have a text in one of these fields; neither case nor width matters. */
export function matching<T>(fields: readonly (keyof T)[], text: string) {
  const wanted = foldSearch(text)
  return (row: T) => fields.some((field) => foldSearch(String(row[field])).includes(wanted))
}

/** What a search in a tree shows: what is found, all below it and all above it. */
export function around<T extends TreeRow>(tree: Tree<T>, isFound: (row: T) => boolean): T[] {
  const kept = new Set<string>()
  for (const row of tree.ordered())
    if (isFound(row)) {
      for (const above of tree.path(row.id)) kept.add(above.id)
      for (const id of tree.within(row.id)) kept.add(id)
    }
  return tree.ordered().filter(({ id }) => kept.has(id))
}

/** Why a row cannot stand below a parent, in Chinese; undefined when it can. A new row has no id yet. */
export function refuseParent<T extends TreeRow>(
  tree: Tree<T>,
  parentId: string | null,
  id: string | undefined,
  levels: number,
): string | undefined {
  if (parentId !== null && !tree.get(parentId)) return '上级不存在或已被删除'
  const path = tree.path(parentId)
  if (path.some((row) => row.id === id)) return '不能移到自己的下级'
  const own = id === undefined ? 1 : tree.levels(id)
  return path.length + own > levels ? `最多 ${levels} 级` : undefined
}

/** Where a dragged row lands: first below another, or right before or after it; undefined where it stands already. */
export function landing<T extends TreeRow>(
  tree: Tree<T>,
  draggedId: string,
  onto: T,
  gap: 'into' | 'before' | 'after',
): Place | undefined {
  if (onto.id === draggedId) return undefined
  const parentId = gap === 'into' ? onto.id : onto.parentId
  const siblings = tree.children(parentId).map(({ id }) => id)
  const others = siblings.filter((id) => id !== draggedId)
  const index = gap === 'into' ? 0 : others.indexOf(onto.id) + (gap === 'after' ? 1 : 0)
  return siblings.indexOf(draggedId) === index ? undefined : { parentId, index }
}
