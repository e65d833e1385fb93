import {
  ProductCategory,
  productCategoryApi,
  ProductCategoryDraft,
  standardCategoryApi,
} from '@iot/shared/contract/category'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import { countOf, differenceOf } from '@iot/shared/contract/modelDifference'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { changedSince, found, missing, referenced, refused } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { modelChange } from '../../core/serve/modelChange'
import { serveModelFiles, serveModelTemplate } from '../../core/serve/modelFiles'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
import { productCategory as table } from '../../tables/category'
import { mustDiffer, mustFit } from './policy'
import { categoryQueries, type CategoryRow } from './queries'
import { standardCategories } from './standard'
import { copyStandard, publishVersion } from './standardCopy'

const entity = '品类'
type Queries = ReturnType<typeof categoryQueries>

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

  const nameIn = (rows: { id: string; name: string }[]) =>
    changeOf(entity, ProductCategoryDraft, {
      parentId: (id) => rows.find((row) => row.id === id)?.name ?? '',
    })

  serve(app, productCategoryApi, {
    list: async () => treeOf(await queries.listed()).ordered(),
    get: async ({ id }) => detail(queries, found(await queries.get(id), entity)),
    async versions({ id }) {
      found(await queries.get(id), entity)
      return queries.versions(id)
    },

    create: (draft, context) =>
      context.write(categoryQueries, async (rows, note, tx) => {
        const all = await rows.held()
        const tree = treeOf(all)
        mustFit(tree, draft.parentId)
        mustDiffer(tree, draft.parentId, draft.name)
        await mustBeFree(tx, table, ProductCategory, draft)
        const model = { properties: [], services: [], events: [] }
        const row = await rows.insert({ ...draft, model, modelVersion: 0 }, context.user.username)
        note(nameIn(all)(row, { after: row }))
        return counted(rows, row)
      }),

    update: (change, context) =>
      context.write(categoryQueries, async (rows, note) => {
        const all = await rows.held()
        const tree = treeOf(all)
        const before = found(tree.get(change.id), entity)
        mustFit(tree, change.parentId, change.id)
        mustDiffer(tree, change.parentId, change.name, change.id)
        const row = await rows.update(change, context.user.username)
        if (!row) throw changedSince(await counted(rows, before))
        note(nameIn(all)(row, { before, after: row }))
        return counted(rows, row)
      }),

    remove: ({ id }, context) =>
      context.write(categoryQueries, async (rows, note, tx) => {
        const all = await rows.held()
        const tree = treeOf(all)
        const row = found(tree.get(id), entity)
        const children = tree.children(id).map((child) => ({ entity, ...child }))
        if (children.length) throw referenced(`品类“${row.name}”`, children)
        await app.references.mustBeFree(tx, 'productCategory', id, `品类“${row.name}”`, context)
        await rows.removeVersions(id)
        await rows.remove([id])
        note(nameIn(all)(row, { before: row }))
        return null
      }),

    move: ({ id, ...place }, context) =>
      context.write(categoryQueries, async (rows, note) => {
        const all = await rows.held()
        const tree = treeOf(all)
        const row = found(tree.get(id), entity)
        mustFit(tree, place.parentId, id)
        mustDiffer(tree, place.parentId, row.name, id)
        const sort = await rows.place(tree, id, place, context.user.username)
        const after = { ...row, parentId: place.parentId, sort }
        note(nameIn(all)(row, { before: row, after }))
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

const counted = async (rows: Queries, row: CategoryRow) => ({
  ...row,
  functionCount: countOf(row.model),
  productCount: await rows.productCount(row.id),
})

const detail = async (rows: Queries, row: CategoryRow) => ({
  ...(await counted(rows, row)),
  published: (await rows.lastVersion(row.id))?.model ?? null,
})
