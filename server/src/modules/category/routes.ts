import {
  ProductCategory,
  ProductCategoryDraft,
  productCategorySchemas,
  standardCategorySchemas,
} from '@iot/shared/contract/product/category.schema'
import { productCategoryApi, standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { countFunctions, compareModels } from '@iot/shared/contract/thingModel/modelDifference'
import { categorySearchFields } from '@iot/shared/contract/product/categoryTree'
import { createGrowingTree, createTree, type Tree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { PageQuery } from '../../core/db/page'
import { findRow } from '../../core/db/versionedQueries'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  createRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { WriteCallback } from '../../core/http/context'
import { describeModelChange } from '../thingModel/policy/modelChange'
import { serveModelFiles, serveModelTemplate } from '../thingModel/policy/modelFiles'
import { assertPicturesExist } from '../../core/http/pictures'
import { buildChangeFromLine } from '../../core/http/updateHandlers'
import { serve, type Handlers } from '../../core/http/serve'
import { createTreeRemoveHandlers } from '../../core/http/treeRemoveHandlers'
import { assertUnique } from '../../core/http/uniqueness'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { findParentId, getDepthOrder, createTreeLines } from '../../core/tasks/treeSheet'
import { resolveIcon, withIconCodes } from '../icon/policy'
import { productCategory as table } from '../../tables/category'
import { assertSiblingNameIsFree, assertPlaceIsAllowed } from './policy'
import { categoryQueries, type CategoryRow } from './queries'
import { CategoryLine, exportColumns, sheet } from './sheet'
import { standardCategories } from './standard'
import { copyStandardCategories, publishVersion } from './copyStandardCategories'

const entity = '品类'
type CategoryQueries = ReturnType<typeof categoryQueries>
const createAuditMapper = (tree: Tree<CategoryRow>) =>
  createChangeDescriber(entity, ProductCategoryDraft, {
    parentId: (id) => tree.get(id as string | null)?.name ?? '',
  })

const createExport = (app: FastifyInstance, queries: CategoryQueries) =>
  createExportHandler(app, productCategoryApi.exportRows, {
    entity,
    sheet: exportColumns,
    async page(query: PageQuery & { name?: string }) {
      const { list, total } = createTreeLines(
        await queries.listWithCounts(),
        categorySearchFields,
        query,
      )
      return { list: await withIconCodes(app.db, list), total }
    },
  })

/** Creates the import of category lines; a line whose code exists changes that category, any other creates one. */
const createImport = (app: FastifyInstance) =>
  createImportHandler(app, productCategoryApi.importRows, {
    entity,
    removal: productCategoryApi.removeMany,
    schema: CategoryLine,
    sheet,
    createQueries: categoryQueries,
    order: getDepthOrder,
    preload: async (rows) => createGrowingTree(await rows.lockAll()),
    create:
      ({ parent, ...line }, actor, _, __, { tree, add }) =>
      async (rows, recordAudit, tx) => {
        const parentId = findParentId(tree, parent, entity)
        const { sort = tree.children(parentId).length + 1 } = line
        const draft = { ...line, parentId, sort, icon: await resolveIcon(tx, line.icon) }
        const row = await writeNewCategory(draft, tree, actor)(rows, recordAudit, tx)
        add(row)
      },
    existing: {
      endpoint: productCategoryApi.update,
      key: ({ code }) => code,
      find: ({ code }, { tx }) => findRow(tx, table, { code }),
      change:
        (previousRow, { parent, icon, ...line }, { preloaded: treeState, context }) =>
        async (rows, recordAudit, tx) => {
          const categoryChange = buildChangeFromLine(productCategorySchemas.update, previousRow, {
            ...line,
            ...(parent !== undefined && {
              parentId: findParentId(treeState.tree, parent, entity),
            }),
            ...(icon !== undefined && { icon: await resolveIcon(tx, icon) }),
          })
          return writeCategoryUpdate(categoryChange, context.user.username)(rows, recordAudit, tx)
        },
    },
  })

/** Creates the handlers that save the thing model of a category and publish it as a numbered version. */
const createModelHandlers = (): Pick<
  Handlers<typeof productCategorySchemas>,
  'saveModel' | 'publish'
> => ({
  saveModel: ({ id, version, model }, context) =>
    context.write(categoryQueries, async (rows, recordAudit) => {
      const previousRow = requireRow(await rows.get(id), entity)
      const row = await rows.update({ id, version, model }, context.user.username)
      if (!row)
        throw createConflictRefusal(await getDetail(rows, requireRow(await rows.get(id), entity)))
      recordAudit(describeModelChange(entity, row, previousRow.model, model))
      return getDetail(rows, row)
    }),

  publish: ({ id, version, note: versionNote }, context) =>
    context.write(categoryQueries, async (rows, recordAudit) => {
      const previousRow = requireRow(await rows.get(id), entity)
      if (previousRow.version !== version)
        throw createConflictRefusal(await getDetail(rows, previousRow))
      if (countFunctions(previousRow.model) === 0) throw createRefusal('还没有功能，不能发布')
      const latestVersion = await rows.findLatestVersion(id)
      if (latestVersion && compareModels(latestVersion.model, previousRow.model).length === 0)
        throw createRefusal(`与版本 ${latestVersion.number} 相同，没有要发布的修改`)
      const row = await publishVersion(rows, previousRow, versionNote, context.user.username)
      if (!row)
        throw createConflictRefusal(await getDetail(rows, requireRow(await rows.get(id), entity)))
      recordAudit({
        entity,
        id,
        name: row.name,
        before: { 已发布版本: previousRow.modelVersion },
        after: { 已发布版本: row.modelVersion, 版本说明: versionNote },
      })
      return getDetail(rows, row)
    }),
})

export function categoryRoutes(app: FastifyInstance) {
  const queries = categoryQueries(app.db)
  app.uniques.add('productCategory', table, ProductCategory, productCategoryApi.list)
  app.references.add('icon', (db, ids) => categoryQueries(db).listCategoriesUsingIcons(ids))

  serveModelFiles(app, productCategoryApi.get, async (id) => ({
    ...requireRow(await queries.get(id), entity),
    productKey: '',
  }))
  serveModelTemplate(app, dictionaryApi.config)

  serve(app, standardCategoryApi, standardCategorySchemas, { list: () => standardCategories })

  serve(app, productCategoryApi, productCategorySchemas, {
    list: async () => createTree(await queries.listWithCounts()).ordered(),
    get: async ({ id }) => getDetail(queries, requireRow(await queries.get(id), entity)),
    async versions({ id }) {
      requireRow(await queries.get(id), entity)
      return queries.listVersions(id)
    },

    ...createTreeRemoveHandlers(app, {
      name: 'productCategory',
      title: entity,
      createQueries: categoryQueries,
      about: createAuditMapper,
    }),
    create: (draft, context) =>
      context.write(categoryQueries, async (rows, recordAudit, tx) => {
        const tree = createTree(await rows.lockAll())
        return addCounts(
          rows,
          await writeNewCategory(draft, tree, context.user.username)(rows, recordAudit, tx),
        )
      }),
    exportRows: createExport(app, queries),
    importRows: createImport(app),

    update: (change, context) =>
      context.write(categoryQueries, writeCategoryUpdate(change, context.user.username)),

    move: ({ id, ...position }, context) =>
      context.write(categoryQueries, async (rows, recordAudit) => {
        const tree = createTree(await rows.lockAll())
        const row = requireRow(tree.get(id), entity)
        assertPlaceIsAllowed(tree, position.parentId, id)
        assertSiblingNameIsFree(tree, position.parentId, row.name, id)
        const sort = await rows.moveRow(tree, id, position, context.user.username)
        const after = { ...row, parentId: position.parentId, sort }
        recordAudit(createAuditMapper(tree)(row, { before: row, after }))
        return null
      }),

    copyStandard: ({ parentId, codes }, context) =>
      context.write(categoryQueries, async (rows, recordAudit) => {
        const selectedCategories = codes.map((code) => {
          const standardCategory = standardCategories.find((standard) => standard.code === code)
          if (!standardCategory) throw createMissingRefusal(`标准品类“${code}”`)
          return standardCategory
        })
        return copyStandardCategories(
          rows,
          selectedCategories,
          parentId,
          context.user.username,
          (row) =>
            recordAudit({ entity, id: row.id, name: row.name, after: { 品类编码: row.code } }),
        )
      }),

    ...createModelHandlers(),
  })
}

const writeNewCategory =
  (
    draft: ProductCategoryDraft,
    tree: Tree<CategoryRow>,
    actor: string,
  ): WriteCallback<typeof categoryQueries, CategoryRow> =>
  async (rows, recordAudit, tx) => {
    assertPlaceIsAllowed(tree, draft.parentId)
    assertSiblingNameIsFree(tree, draft.parentId, draft.name)
    await assertPicturesExist(tx, draft)
    await assertUnique(tx, table, ProductCategory, draft)
    const model = { properties: [], services: [], events: [] }
    const row = await rows.insert({ ...draft, model, modelVersion: 0 }, actor)
    recordAudit(createAuditMapper(tree)(row, { after: row }))
    return row
  }

type UpdateInput = z.output<typeof productCategorySchemas.update.input>
type CategoryWithCounts = Awaited<ReturnType<typeof addCounts>>
const writeCategoryUpdate =
  (change: UpdateInput, actor: string): WriteCallback<typeof categoryQueries, CategoryWithCounts> =>
  async (rows, recordAudit, tx) => {
    const tree = createTree(await rows.lockAll())
    const previousRow = requireRow(tree.get(change.id), entity)
    await assertPicturesExist(tx, change, previousRow)
    assertPlaceIsAllowed(tree, change.parentId, change.id)
    assertSiblingNameIsFree(tree, change.parentId, change.name, change.id)
    const row = await rows.update(change, actor)
    if (!row) throw createConflictRefusal(await addCounts(rows, previousRow))
    recordAudit(createAuditMapper(tree)(row, { before: previousRow, after: row }))
    return addCounts(rows, row)
  }

const addCounts = async (rows: CategoryQueries, row: CategoryRow) => ({
  ...row,
  functionCount: countFunctions(row.model),
  productCount: await rows.countProducts(row.id),
})

const getDetail = async (rows: CategoryQueries, row: CategoryRow) => ({
  ...(await addCounts(rows, row)),
  published: (await rows.findLatestVersion(row.id))?.model ?? null,
})
