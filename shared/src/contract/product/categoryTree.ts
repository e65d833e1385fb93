import { refuseParent, type Tree, type TreeRow } from '../tree'

export const maxCategoryLevels = 5

/** The category search covers these fields. */
export const categorySearchFields = ['name', 'code'] as const

/** Returns in Chinese why a category cannot have this parent: the tree gets too deep or cyclic. */
export const validateCategoryParent = <T extends TreeRow>(
  tree: Tree<T>,
  parentId: string | null,
  id?: string,
) => refuseParent(tree, parentId, id, maxCategoryLevels)
