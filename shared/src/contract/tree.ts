import { normalizeForSearch } from './text'

/** A row that names its parent, such as a menu, a space or a category. */
export type TreeRow = { id: string; parentId: string | null }
/** A move targets a parent and a sibling index, which is counted without the moved row. */
export type TreePosition = { parentId: string | null; index: number }

/**
 * Indexes rows as a tree; siblings keep their order. Every operation takes linear time and no recursion. Rows with a
 * missing parent or in a cycle are unreachable from the top.
 * @example createTree(menus).path(id).map(({ name }) => name).join(' / ')
 */
export const createTree = <T extends TreeRow>(rows: readonly T[]) => createGrowingTree(rows).tree

/** Builds a tree that can grow: `add` appends a row as the last child of its parent. */
export function createGrowingTree<T extends TreeRow>(rows: readonly T[]) {
  const byId = new Map<string, T>()
  const childrenByParent = new Map<string | null, T[]>()
  const add = (row: T) => {
    byId.set(row.id, row)
    const siblings = childrenByParent.get(row.parentId)
    if (siblings) siblings.push(row)
    else childrenByParent.set(row.parentId, [row])
  }
  rows.forEach(add)
  const children = (id: string | null): readonly T[] => childrenByParent.get(id) ?? []
  const getRowChildren = (row: T) => children(row.id)

  const tree = {
    get: (id: string | null | undefined) => (id ? byId.get(id) : undefined),
    /** Returns the direct children of a row; null means the top level. */
    children,
    /** Returns the path from the top to the row itself. */
    path(id: string | null | undefined): T[] {
      const visitedRows = new Set<T>()
      for (
        let current = id && byId.get(id);
        current && !visitedRows.has(current);
        current = current.parentId && byId.get(current.parentId)
      )
        visitedRows.add(current)
      return [...visitedRows].reverse()
    },
    /** Returns the ids of a row and all its descendants. */
    within(id: string): Set<string> {
      const ids = new Set([id])
      // A loop over a set also visits items that are added meanwhile.
      for (const parentId of ids) for (const row of children(parentId)) ids.add(row.id)
      return ids
    },
    /** Returns the number of levels that a row and its descendants span. */
    levels(id: string): number {
      const visitedIds = new Set([id])
      let count = 0
      for (let level = [id]; level.length > 0; count++) {
        level = level.flatMap((parentId) =>
          children(parentId).flatMap((row) => (visitedIds.has(row.id) ? [] : row.id)),
        )
        for (const rowId of level) visitedIds.add(rowId)
      }
      return count
    },
    /** Returns all rows, parents before children. */
    ordered: () =>
      Array.from(walkPaths(children(null), getRowChildren), (rowPath) => rowPath.at(-1)!),
    /** Maps each row together with its mapped children. */
    nested: <N>(mapRow: (row: T, children: N[]) => N | undefined) =>
      mapTree(children(null), getRowChildren, mapRow),
  }
  return { tree, add }
}
export type Tree<T extends TreeRow> = ReturnType<typeof createTree<T>>

/**
 * Yields the path from a root to each node, parents before children. All yields share one array that changes, so a
 * caller must copy it to keep it.
 */
export function* walkPaths<N>(
  roots: readonly N[],
  getChildren: (node: N) => readonly N[],
): Generator<N[]> {
  const currentPath: N[] = []
  const openIterators = [roots.values()]
  for (let iterator; (iterator = openIterators.at(-1));) {
    const nextNode = iterator.next()
    if (nextNode.done) {
      openIterators.pop()
      currentPath.pop()
    } else {
      currentPath.push(nextNode.value)
      yield currentPath
      openIterators.push(getChildren(nextNode.value).values())
    }
  }
}

/** Maps a tree from the leaves up; a node mapped to undefined is dropped with its descendants. */
export function mapTree<N, M>(
  roots: readonly N[],
  getChildren: (node: N) => readonly N[],
  mapNode: (node: N, children: M[]) => M | undefined,
): M[] {
  const nodes = Array.from(walkPaths(roots, getChildren), (nodePath) => ({
    node: nodePath.at(-1)!,
    depth: nodePath.length,
  }))
  /** Mapped nodes by depth that await their parent, the last first. */
  const mappedByDepth: M[][] = [[], []]
  for (const { node, depth } of nodes.reverse()) {
    const mappedNode = mapNode(node, mappedByDepth[depth + 1]?.reverse() ?? [])
    mappedByDepth[depth + 1] = []
    if (mappedNode !== undefined) (mappedByDepth[depth] ??= []).push(mappedNode)
  }
  return mappedByDepth[1]!.reverse()
}

type Named = TreeRow & { name: string }

/** Returns the names from the top to a row, as lists and files write them: 照明 / 灯. */
export const formatTreePath = <T extends Named>(tree: Tree<T>, id: string | null | undefined) =>
  tree
    .path(id)
    .map(({ name }) => name)
    .join(' / ')

const normalizePath = (text: string) => text.trim().replace(/\s*\/\s*/g, '/')

/**
 * Finds the rows with such a path of names: none, one, or several of the same name. A name may itself contain a slash.
 */
export function findRowsByPath<T extends Named>(tree: Tree<T>, names: string): T[] {
  const normalizedPath = normalizePath(names)
  const findBelow = (parentId: string | null, parentPath: string): T[] =>
    tree.children(parentId).flatMap((row) => {
      const rowPath = parentPath + normalizePath(row.name)
      if (rowPath === normalizedPath) return [row]
      return normalizedPath.startsWith(`${rowPath}/`) ? findBelow(row.id, `${rowPath}/`) : []
    })
  return findBelow(null, '')
}

/** Returns a filter for rows with a text in one of these fields, ignoring case and width. */
export function createRowFilter<T>(fields: readonly (keyof T)[], text: string) {
  const searchedText = normalizeForSearch(text)
  return (row: T) =>
    fields.some((field) => normalizeForSearch(String(row[field])).includes(searchedText))
}

/** Returns the rows that a tree search shows: matches with their ancestors and descendants. */
export function filterTree<T extends TreeRow>(tree: Tree<T>, isMatch: (row: T) => boolean): T[] {
  const shownIds = new Set<string>()
  for (const row of tree.ordered())
    if (isMatch(row)) {
      for (const ancestor of tree.path(row.id)) shownIds.add(ancestor.id)
      for (const id of tree.within(row.id)) shownIds.add(id)
    }
  return tree.ordered().filter(({ id }) => shownIds.has(id))
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
  const ownLevels = id === undefined ? 1 : tree.levels(id)
  return path.length + ownLevels > levels ? `最多 ${levels} 级` : undefined
}

/**
 * Returns where a dragged row lands: as first child, or directly before or after a row; undefined if it stays in place.
 */
export function getDropPosition<T extends TreeRow>(
  tree: Tree<T>,
  draggedId: string,
  targetRow: T,
  dropPlace: 'into' | 'before' | 'after',
): TreePosition | undefined {
  if (targetRow.id === draggedId) return undefined
  const parentId = dropPlace === 'into' ? targetRow.id : targetRow.parentId
  const siblings = tree.children(parentId).map(({ id }) => id)
  const otherIds = siblings.filter((id) => id !== draggedId)
  const index =
    dropPlace === 'into' ? 0 : otherIds.indexOf(targetRow.id) + (dropPlace === 'after' ? 1 : 0)
  return siblings.indexOf(draggedId) === index ? undefined : { parentId, index }
}
