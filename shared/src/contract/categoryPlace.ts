import { refuseParent, type Tree, type TreeRow } from './tree'

export const categoryLevels = 5

/** What categories are searched by. */
export const categorySearched = ['name', 'code'] as const

/** Why a category cannot stand there, in Chinese: too deep, or below itself. */
export const refuseCategoryPlace = <T extends TreeRow>(
  tree: Tree<T>,
  parentId: string | null,
  id?: string,
) => refuseParent(tree, parentId, id, categoryLevels)
