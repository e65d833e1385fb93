import {
  ProductCategory,
  productCategoryApi,
  ProductCategoryDraft,
  standardCategoryApi,
} from '@iot/shared/contract/category'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import { countOf, differenceOf } from '@iot/shared/contract/modelDifference'
import { categorySearched } from '@iot/shared/contract/categoryPlace'
import { growingTree, treeOf, type Tree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Slice } from '../../core/db/page'
import { findRow } from '../../core/db/versioned'
import { changedSince, found, missing, refused } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Writing } from '../../core/serve/context'
import { modelChange } from '../../core/serve/modelChange'
import { serveModelFiles, serveModelTemplate } from '../../core/serve/modelFiles'
import { mustHavePictures } from '../../core/serve/pictures'
import { changeFrom } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { treeRemoving } from '../../core/serve/treeRemoving'
import { mustBeFree } from '../../core/serve/unique'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { parentIn, parentsFirst, treeLines } from '../../core/tasks/treeSheet'
import { iconFrom, withIconCodes } from '../icon/policy'
import { productCategory as table } from '../../tables/category'
import { mustDiffer, mustFit } from './policy'
import { categoryQueries, type CategoryRow } from './queries'
import { CategoryLine, exported, sheet } from './sheet'
import { standardCategories } from './standard'
import { copyStandard, publishVersion } from './standardCopy'

const entity = '品类'
type Queries = ReturnType<typeof categoryQueries>
const about = (tree: Tree<CategoryRow>) =>
  changeOf(entity, ProductCategoryDraft, {
    parentId: (id) => tree.get(id as string | null)?.name ?? '',
  })

export function categoryRoutes(app: FastifyInstance) {
  const queries = categoryQueries(app.db)
  app.uniques.add('productCategory', table, ProductCategory, productCategoryApi.list)
  app.references.add('icon', (db, ids) => categoryQueries(db).withIcons(ids))

  serveModelFiles(app, productCategoryApi.get, async (id) => ({
    ...found(await queries.get(id), entity),
    productKey: '',
  }))
  serveModelTemplate(app, dictionaryApi.config)

  serve(app, standardCategoryApi, { list: () => standardCategories })

  serve(app, productCategoryApi, {
    list: async () => treeOf(await queries.listed()).ordered(),
    get: async ({ id }) => detail(queries, found(await queries.get(id), entity)),
    async versions({ id }) {
      found(await queries.get(id), entity)
      return queries.versions(id)
    },

    ...treeRemoving(app, {
      name: 'productCategory',
      title: entity,
      queriesOf: categoryQueries,
      about,
    }),
    create: (draft, context) =>
      context.write(categoryQueries, async (rows, note, tx) => {
        const tree = treeOf(await rows.held())
        return counted(rows, await creating(draft, tree, context.user.username)(rows, note, tx))
      }),
    exportRows: exporter(app, productCategoryApi.exportRows, {
      entity,
      sheet: exported,
      async page(query: Slice & { name?: string }) {
        const { list, total } = treeLines(await queries.listed(), categorySearched, query)
        return { list: await withIconCodes(app.db, list), total }
      },
    }),
    importRows: importer(app, productCategoryApi.importRows, {
      entity,
      schema: CategoryLine,
      sheet,
      queriesOf: categoryQueries,
      order: parentsFirst,
      hold: async (rows) => growingTree(await rows.held()),
      create:
        ({ parent, ...line }, by, _, __, { tree, add }) =>
        async (rows, note, tx) => {
          const parentId = parentIn(tree, parent, entity)
          const { sort = tree.children(parentId).length + 1 } = line
          const draft = { ...line, parentId, sort, icon: await iconFrom(tx, line.icon) }
          const row = await creating(draft, tree, by)(rows, note, tx)
          add(row)
        },
      existing: {
        endpoint: productCategoryApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change:
          (before, { parent, icon, ...line }, { held, context }) =>
          async (rows, note, tx) => {
            const wanted = changeFrom(productCategoryApi.update, before, {
              ...line,
              ...(parent !== undefined && { parentId: parentIn(held.tree, parent, entity) }),
              ...(icon !== undefined && { icon: await iconFrom(tx, icon) }),
            })
            return updating(wanted, context.user.username)(rows, note, tx)
          },
      },
    }),

    update: (change, context) =>
      context.write(categoryQueries, updating(change, context.user.username)),

    move: ({ id, ...place }, context) =>
      context.write(categoryQueries, async (rows, note) => {
        const tree = treeOf(await rows.held())
        const row = found(tree.get(id), entity)
        mustFit(tree, place.parentId, id)
        mustDiffer(tree, place.parentId, row.name, id)
        const sort = await rows.place(tree, id, place, context.user.username)
        const after = { ...row, parentId: place.parentId, sort }
        note(about(tree)(row, { before: row, after }))
        return null
      }),

    copyStandard: ({ parentId, codes }, context) =>
      context.write(categoryQueries, async (rows, note) => {
        const chosen = codes.map((code) => {
          const one = standardCategories.find((standard) => standard.code === code)
          if (!one) throw missing(`标准品类“${code}”`)
          return one
        })
        return copyStandard(rows, chosen, parentId, context.user.username, (row) =>
          note({ entity, id: row.id, name: row.name, after: { 品类编码: row.code } }),
        )
      }),

    saveModel: ({ id, version, model }, context) =>
      context.write(categoryQueries, async (rows, note) => {
        const before = found(await rows.get(id), entity)
        const row = await rows.update({ id, version, model }, context.user.username)
        if (!row) throw changedSince(await detail(rows, found(await rows.get(id), entity)))
        note(modelChange(entity, row, before.model, model))
        return detail(rows, row)
      }),

    publish: ({ id, version, note: words }, context) =>
      context.write(categoryQueries, async (rows, note) => {
        const before = found(await rows.get(id), entity)
        if (before.version !== version) throw changedSince(await detail(rows, before))
        if (countOf(before.model) === 0) throw refused('还没有功能，不能发布')
        const last = await rows.lastVersion(id)
        if (last && differenceOf(last.model, before.model).length === 0)
          throw refused(`与版本 ${last.number} 相同，没有要发布的修改`)
        const row = await publishVersion(rows, before, words, context.user.username)
        if (!row) throw changedSince(await detail(rows, found(await rows.get(id), entity)))
        note({
          entity,
          id,
          name: row.name,
          before: { 已发布版本: before.modelVersion },
          after: { 已发布版本: row.modelVersion, 版本说明: words },
        })
        return detail(rows, row)
      }),
  })
}

const creating =
  (
    draft: ProductCategoryDraft,
    tree: Tree<CategoryRow>,
    by: string,
  ): Writing<typeof categoryQueries, CategoryRow> =>
  async (rows, note, tx) => {
    mustFit(tree, draft.parentId)
    mustDiffer(tree, draft.parentId, draft.name)
    await mustHavePictures(tx, draft)
    await mustBeFree(tx, table, ProductCategory, draft)
    const model = { properties: [], services: [], events: [] }
    const row = await rows.insert({ ...draft, model, modelVersion: 0 }, by)
    note(about(tree)(row, { after: row }))
    return row
  }

type Change = z.output<typeof productCategoryApi.update.input>
type Counted = Awaited<ReturnType<typeof counted>>
const updating =
  (change: Change, by: string): Writing<typeof categoryQueries, Counted> =>
  async (rows, note, tx) => {
    const tree = treeOf(await rows.held())
    const before = found(tree.get(change.id), entity)
    await mustHavePictures(tx, change, before)
    mustFit(tree, change.parentId, change.id)
    mustDiffer(tree, change.parentId, change.name, change.id)
    const row = await rows.update(change, by)
    if (!row) throw changedSince(await counted(rows, before))
    note(about(tree)(row, { before, after: row }))
    return counted(rows, row)
  }

const counted = async (rows: Queries, row: CategoryRow) => ({
  ...row,
  functionCount: countOf(row.model),
  productCount: await rows.productCount(row.id),
})

const detail = async (rows: Queries, row: CategoryRow) => ({
  ...(await counted(rows, row)),
  published: (await rows.lastVersion(row.id))?.model ?? null,
})
