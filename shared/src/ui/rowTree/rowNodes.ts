import type { BasicDataNode } from 'antd/es/tree'
import { filterTree, type Tree, type TreeRow } from '../../contract/tree'

export type Row = TreeRow & { name: string }
/** Selects the rows that a search shows; false without a search. */
export type RowFilter<T> = ((row: T) => boolean) | false
export type RowNode<T> = T & BasicDataNode & { children?: RowNode<T>[] }

export function buildVisibleNodes<T extends Row>(rows: T[], tree: Tree<T>, find: RowFilter<T>) {
  const visibleIds = new Set((find ? filterTree(tree, find) : rows).map(({ id }) => id))
  const nodes = tree.nested<RowNode<T>>((row, children) =>
    visibleIds.has(row.id) ? { ...row, children } : undefined,
  )
  return { visibleIds, nodes }
}
