import { treeOf, type Tree, type TreeRow } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/db'
import { found, notTheirs, referenced } from '../refusal'
import type { Change } from './actionLog'
import type { Context } from './context'
import { idsOf, perRow, type Named } from './perRow'

type Queries<R> = {
  held: () => Promise<R[]>
  remove: (ids: string[]) => PromiseLike<unknown>
}
type Options<R extends TreeRow> = {
  /** Other modules register references to the resource under this name. */
  name: string
  title: string
  /** Returns the name of the row's kind if it differs from `title`. */
  called?: (row: R) => string
  queriesOf: (db: Db) => Queries<R>
  about: (tree: Tree<R>) => (row: R, sides: { before: R }) => Change
  /** Returns the reason why the caller may not remove a row. */
  refuse?: (context: Context, row: R) => string | undefined
}

/**
 * Creates the handlers of `removing` for rows that form a tree: a row with children stays unless they are removed
 * with it.
 * @example
 * const options = { name: 'view', title: '视图', queriesOf: viewQueries, about }
 * serve(app, viewApi, { ...treeRemoving(app, options), list: … })
 */
export const treeRemoving = <R extends Named & TreeRow>(
  { references }: Pick<FastifyInstance, 'references'>,
  { name, title, called = () => title, queriesOf, about, refuse = () => undefined }: Options<R>,
) => ({
  remove: ({ id }: { id: string }, context: Context) =>
    context.write(queriesOf, async (rows, note, tx) => {
      const tree = treeOf(await rows.held())
      const row = found(tree.get(id), title)
      const below = tree
        .children(id)
        .map((child) => ({ entity: called(child), id: child.id, name: child.name }))
      const what = `${called(row)}“${row.name}”`
      const whyNot = refuse(context, row)
      if (whyNot) throw notTheirs(what, whyNot)
      if (below.length > 0) throw referenced(what, below)
      await references.mustBeFree(tx, name, id, what, context)
      await rows.remove([id])
      note(about(tree)(row, { before: row }))
      return null
    }),
  removeMany: ({ ids }: { ids: string[] }, context: Context) =>
    context.write(queriesOf, async (rows, note, tx) => {
      const tree = treeOf(await rows.held())
      const list = ids.flatMap((id) => tree.get(id) ?? [])
      const used = await references.inUse(tx, name, ids, context)
      const asked = new Set(ids)
      const staying = new Map<string, string>()
      // The rows are visited from the leaves upwards, because a row that stays also keeps its ancestors.
      for (const { id } of tree.ordered().reverse()) {
        if (!asked.has(id)) continue
        const left = tree.children(id).filter((row) => !asked.has(row.id) || staying.has(row.id))
        const why =
          refuse(context, tree.get(id)!) ?? used.get(id) ?? (left.length > 0 && above(left, title))
        if (why) staying.set(id, why)
      }
      return perRow(
        ids,
        list,
        ({ id }) => staying.get(id),
        async (free) => {
          await rows.remove(idsOf(free))
          for (const row of free) note(about(tree)(row, { before: row }))
        },
      )
    }),
})

const named = 3
function above(left: Named[], title: string) {
  const names = left.slice(0, named).map(({ name }) => `“${name}”`)
  return `下面还有 ${left.length} 个${title}，不能删除：${names.join('、')}${left.length > named ? '等' : ''}`
}
