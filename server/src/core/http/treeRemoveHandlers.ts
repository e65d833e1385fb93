import { createTree, type Tree, type TreeRow } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/db'
import { requireRow, createOwnershipRefusal, createReferencedRefusal } from '../refusal'
import type { Change } from './actionLog'
import type { Context } from './context'
import { getIds, applyPerRow, type NamedRow } from './applyPerRow'

type TreeRemoveQueries<R> = {
  lockAll: () => Promise<R[]>
  remove: (ids: string[]) => PromiseLike<unknown>
}
type TreeRemoveOptions<R extends TreeRow> = {
  /** Other modules register references to the resource under this name. */
  name: string
  title: string
  /** Returns the name of the row's kind if it differs from `title`. */
  called?: (row: R) => string
  createQueries: (db: Db) => TreeRemoveQueries<R>
  about: (tree: Tree<R>) => (row: R, sides: { before: R }) => Change
  /** Returns the reason why the caller may not remove a row. */
  refuse?: (context: Context, row: R) => string | undefined
}

/**
 * Creates the handlers of `createRemoveHandlers` for rows that form a tree: a row with children stays unless they are removed
 * with it.
 * @example
 * const options = { name: 'view', title: '视图', createQueries: viewQueries, about }
 * serve(app, viewApi, viewSchemas, { ...createTreeRemoveHandlers(app, options), list: … })
 */
export const createTreeRemoveHandlers = <R extends NamedRow & TreeRow>(
  { references }: Pick<FastifyInstance, 'references'>,
  {
    name,
    title,
    called: getKindName = () => title,
    createQueries,
    about: describeChange,
    refuse: getRefusalReason = () => undefined,
  }: TreeRemoveOptions<R>,
) => ({
  remove: ({ id }: { id: string }, context: Context) =>
    context.write(createQueries, async (rows, recordChange, tx) => {
      const tree = createTree(await rows.lockAll())
      const row = requireRow(tree.get(id), title)
      const childReferences = tree
        .children(id)
        .map((child) => ({ entity: getKindName(child), id: child.id, name: child.name }))
      const subject = `${getKindName(row)}“${row.name}”`
      const refusalReason = getRefusalReason(context, row)
      if (refusalReason) throw createOwnershipRefusal(subject, refusalReason)
      if (childReferences.length > 0) throw createReferencedRefusal(subject, childReferences)
      await references.assertNotReferenced(tx, name, id, subject, context)
      await rows.remove([id])
      recordChange(describeChange(tree)(row, { before: row }))
      return null
    }),
  removeMany: ({ ids }: { ids: string[] }, context: Context) =>
    context.write(createQueries, async (rows, recordChange, tx) => {
      const tree = createTree(await rows.lockAll())
      const list = ids.flatMap((id) => tree.get(id) ?? [])
      const usageReasons = await references.findUsageReasons(tx, name, ids, context)
      const requestedIds = new Set(ids)
      const stayReasons = new Map<string, string>()
      // The rows are visited from the leaves upwards, because a row that stays also keeps its ancestors.
      for (const { id } of tree.ordered().reverse()) {
        if (!requestedIds.has(id)) continue
        const remainingChildren = tree
          .children(id)
          .filter((row) => !requestedIds.has(row.id) || stayReasons.has(row.id))
        const reason =
          getRefusalReason(context, tree.get(id)!) ??
          usageReasons.get(id) ??
          (remainingChildren.length > 0 && formatChildrenReason(remainingChildren, title))
        if (reason) stayReasons.set(id, reason)
      }
      return applyPerRow(
        ids,
        list,
        ({ id }) => stayReasons.get(id),
        async (removableRows) => {
          await rows.remove(getIds(removableRows))
          for (const row of removableRows) recordChange(describeChange(tree)(row, { before: row }))
        },
      )
    }),
})

const maxNamedChildren = 3
function formatChildrenReason(children: NamedRow[], title: string) {
  const names = children.slice(0, maxNamedChildren).map(({ name }) => `“${name}”`)
  return `下面还有 ${children.length} 个${title}，不能删除：${names.join('、')}${children.length > maxNamedChildren ? '等' : ''}`
}
