import { refuseParent, type Tree, type TreeRow } from './tree'

export const categoryLevels = 5

/** The category search covers these fields. */
export const categorySearched = ['name', 'code'] as const

/** Returns in Chinese why a category cannot have this parent: the tree gets too deep or cyclic. */
export const refuseCategoryPlace = <T extends TreeRow>(
  tree: Tree<T>,
  parentId: string | null,
  id?: string,
) => refuseParent(tree, parentId, id, categoryLevels)
