import {
  around,
  matching,
  namesTo,
  rowsAt,
  treeOf,
  type Tree,
  type TreeRow,
} from '@iot/shared/contract/tree'
import { z } from 'zod'
import { sliceOf, type Slice } from '../db/page'
import { wrongField } from '../refusal'

type Named = TreeRow & { name: string }
type Asked = Slice & { name?: string }

/** Creates the column that names the parent of a line by the names from the root down, as lists write them. */
export const parentCell = (title: string) =>
  z.string().trim().max(600, `${title}最多 600 个字`).meta({ title })

/**
 * Returns the rows of a tree as lines of a file, each with the names of its ancestors; a search keeps the rows that
 * the page would show.
 */
export function treeLines<R extends Named>(
  rows: R[],
  searched: readonly (keyof R)[],
  { name, ...slice }: Asked,
) {
  const tree = treeOf(rows)
  const shown = name ? around(tree, matching(searched, name)) : tree.ordered()
  const lines = shown.map((row) => ({ ...row, parent: namesTo(tree, row.parentId) }))
  return sliceOf(lines, slice)
}

/** Sort number for `order` of an import: the path of an ancestor is shorter than that of its descendants. */
export const parentsFirst = ({ parent }: Record<string, unknown>) =>
  String(parent).replace(/\s/g, '').length

/**
 * Returns the id of the row that a line belongs under; null for an empty cell.
 * @throws Refusal if no row or several rows have these names
 */
export function parentIn<R extends Named>(tree: Tree<R>, names: string, entity: string) {
  if (names === '') return null
  const [row, ...others] = rowsAt(tree, names)
  if (!row) throw wrongField('parent', `没有${entity}“${names}”`)
  if (others.length > 0)
    throw wrongField('parent', `有 ${others.length + 1} 个${entity}都叫“${names}”，请先改名`)
  return row.id
}
