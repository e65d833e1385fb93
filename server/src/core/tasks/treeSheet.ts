import {
  filterTree,
  createRowFilter,
  formatTreePath,
  findRowsByPath,
  createTree,
  type Tree,
  type TreeRow,
} from '@iot/shared/contract/tree'
import { z } from 'zod'
import { paginateRows, type PageQuery } from '../db/page'
import { createFieldRefusal } from '../refusal'

type NamedTreeRow = TreeRow & { name: string }
type TreeLinesQuery = PageQuery & { name?: string }

/** Creates the column that names the parent of a line by the names from the root down, as lists write them. */
export const createParentSchema = (title: string) =>
  z.string().trim().max(600, `${title}最多 600 个字`).meta({ title })

/**
 * Returns the rows of a tree as lines of a file, each with the names of its ancestors; a search keeps the rows that
 * the page would show.
 */
export function createTreeLines<R extends NamedTreeRow>(
  rows: R[],
  searchableFields: readonly (keyof R)[],
  { name, ...slice }: TreeLinesQuery,
) {
  const tree = createTree(rows)
  const visibleRows = name
    ? filterTree(tree, createRowFilter(searchableFields, name))
    : tree.ordered()
  const lines = visibleRows.map((row) => ({ ...row, parent: formatTreePath(tree, row.parentId) }))
  return paginateRows(lines, slice)
}

/** Sort number for `order` of an import: the path of an ancestor is shorter than that of its descendants. */
export const getDepthOrder = ({ parent }: Record<string, unknown>) =>
  String(parent).replace(/\s/g, '').length

/**
 * Returns the id of the row that a line belongs under; null for an empty cell.
 * @throws Refusal if no row or several rows have these names
 */
export function findParentId<R extends NamedTreeRow>(tree: Tree<R>, names: string, entity: string) {
  if (names === '') return null
  const [row, ...others] = findRowsByPath(tree, names)
  if (!row) throw createFieldRefusal('parent', `没有${entity}“${names}”`)
  if (others.length > 0)
    throw createFieldRefusal(
      'parent',
      `有 ${others.length + 1} 个${entity}都叫“${names}”，请先改名`,
    )
  return row.id
}
