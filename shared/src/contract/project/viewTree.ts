import { refuseParent, type Tree, type TreeRow } from '../tree'

/** Maximum depth: a view and the tabs in it. */
export const maxViewLevels = 3

/** The view search covers these fields. */
export const viewSearchFields = ['name', 'path'] as const

/** Returns in Chinese why a view cannot have this parent; undefined if it can. */
export const validateViewParent = <T extends TreeRow>(
  tree: Tree<T>,
  parentId: string | null,
  id?: string,
) => refuseParent(tree, parentId, id, maxViewLevels)
