import { refuseParent, type Tree, type TreeRow } from './tree'

/** A view and the tabs in it. */
export const viewLevels = 3

/** What views are searched by. */
export const viewSearched = ['name', 'path'] as const

/** Why a view cannot stand there, in Chinese; undefined when it can. */
export const refuseViewPlace = <T extends TreeRow>(
  tree: Tree<T>,
  parentId: string | null,
  id?: string,
) => refuseParent(tree, parentId, id, viewLevels)
