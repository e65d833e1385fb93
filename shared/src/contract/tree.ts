import { foldSearch } from './text'

/** A row that names its parent, such as a menu, a space or a category. */
export type TreeRow = { id: string; parentId: string | null }
/** A move targets a parent and a sibling index, which is counted without the moved row. */
export type Place = { parentId: string | null; index: number }

/**
 * Indexes rows as a tree; siblings keep their order. Every operation takes linear time and no recursion. Rows with a
 * missing parent or in a cycle are unreachable from the top.
 * @example treeOf(menus).path(id).map(({ name }) => name).join(' / ')
 */
export const treeOf = <T extends TreeRow>(rows: readonly T[]) => growingTree(rows).tree

/** Builds a tree that can grow: `add` appends a row as the last child of its parent. */
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
    /** Returns the direct children of a row; null means the top level. */
    children,
    /** Returns the path from the top to the row itself. */
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
    /** Returns the ids of a row and all its descendants. */
    within(id: string): Set<string> {
      const found = new Set([id])
      // A loop over a set also visits items that are added meanwhile.
      for (const one of found) for (const row of children(one)) found.add(row.id)
      return found
    },
    /** Returns the number of levels that a row and its descendants span. */
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
    /** Returns all rows, parents before children. */
    ordered: () => Array.from(walk(children(null), childrenOf), (line) => line.at(-1)!),
    /** Maps each row together with its mapped children. */
    nested: <N>(make: (row: T, children: N[]) => N | undefined) =>
      mapTree(children(null), childrenOf, make),
  }
  return { tree, add }
}
export type Tree<T extends TreeRow> = ReturnType<typeof treeOf<T>>

/**
 * Yields the path from a root to each node, parents before children. All yields share one array that changes, so a
 * caller must copy it to keep it.
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

/** Maps a tree from the leaves up; a node mapped to undefined is dropped with its descendants. */
export function mapTree<N, M>(
  roots: readonly N[],
  below: (node: N) => readonly N[],
  make: (node: N, children: M[]) => M | undefined,
): M[] {
  const nodes = Array.from(walk(roots, below), (line) => ({
    node: line.at(-1)!,
    depth: line.length,
  }))
  /** Mapped nodes by depth that await their parent, the last first. */
  const made: M[][] = [[], []]
  for (const { node, depth } of nodes.reverse()) {
    const one = make(node, made[depth + 1]?.reverse() ?? [])
    made[depth + 1] = []
    if (one !== undefined) (made[depth] ??= []).push(one)
  }
  return made[1]!.reverse()
}

type Named = TreeRow & { name: string }

/** Returns the names from the top to a row, as lists and files write them: 照明 / 灯. */
export const namesTo = <T extends Named>(tree: Tree<T>, id: string | null | undefined) =>
  tree
    .path(id)
    .map(({ name }) => name)
    .join(' / ')

const squeezed = (text: string) => text.trim().replace(/\s*\/\s*/g, '/')

/**
 * Finds the rows with such a path of names: none, one, or several of the same name. A name may itself contain a slash.
 */
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

/** Returns a filter for rows with a text in one of these fields, ignoring case and width. */
export function matching<T>(fields: readonly (keyof T)[], text: string) {
  const wanted = foldSearch(text)
  return (row: T) => fields.some((field) => foldSearch(String(row[field])).includes(wanted))
}

/** Returns the rows that a tree search shows: matches with their ancestors and descendants. */
export function around<T extends TreeRow>(tree: Tree<T>, isFound: (row: T) => boolean): T[] {
  const kept = new Set<string>()
  for (const row of tree.ordered())
    if (isFound(row)) {
      for (const above of tree.path(row.id)) kept.add(above.id)
      for (const id of tree.within(row.id)) kept.add(id)
    }
  return tree.ordered().filter(({ id }) => kept.has(id))
}

/** Returns in Chinese why a row cannot have this parent; undefined if it can. A new row has no id yet. */
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

/**
 * Returns where a dragged row lands: as first child, or directly before or after a row; undefined if it stays in place.
 */
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
