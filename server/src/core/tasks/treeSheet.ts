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

/** The column that says below which row a line stands: the names from the top down, as lists write them. */
export const parentCell = (title: string) =>
  z.string().trim().max(600, `${title}最多 600 个字`).meta({ title })

/** Rows of a tree as lines of a file: with a search those that its page shows, each with the names above it. */
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

/** For `order` of an import: what stands above has the shorter names above itself. */
export const parentsFirst = ({ parent }: Record<string, unknown>) =>
  String(parent).replace(/\s/g, '').length

/** The row that a line stands below; null for an empty cell. */
export function parentIn<R extends Named>(tree: Tree<R>, names: string, entity: string) {
  if (names === '') return null
  const [row, ...others] = rowsAt(tree, names)
  if (!row) throw wrongField('parent', `没有${entity}“${names}”`)
  if (others.length > 0)
    throw wrongField('parent', `有 ${others.length + 1} 个${entity}都叫“${names}”，请先改名`)
  return row.id
}
