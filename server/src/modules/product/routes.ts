import { randomBytes } from 'node:crypto'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  Product,
  productApi,
  ProductDraft,
  productStatusText,
} from '@iot/shared/contract/product'
import { adoptCategoryVersion } from '@iot/shared/contract/modelMerge'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { findRow } from '../../core/db/versionedQueries'
import {
  createConflictRefusal,
  requireRow,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/serve/actionLog'
import type { WriteCallback } from '../../core/serve/context'
import { describeModelChange } from '../../core/serve/modelChange'
import { serveModelFiles } from '../../core/serve/modelFiles'
import { getIds, applyPerRow } from '../../core/serve/applyPerRow'
import { buildChangeFromLine } from '../../core/serve/updateHandlers'
import { serve } from '../../core/serve/serve'
import { assertUnique } from '../../core/serve/uniqueness'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { device, product as table } from '../../tables/device'
import { listReferencingDevices } from '../device/policy'
import {
  describeMissingFunctions,
  assertNotDisabled,
  assertConnectionFieldsValid,
  assertLockedFieldsUnchanged,
  assertModelCompatible,
  getStatusRefusal,
} from './policy'
import { productQueries, type ProductRow } from './queries'
import { exportColumns, ProductRowDraft, sheet } from './sheet'

const entity = '产品'
const lookupText = (texts: Record<string, string>) => (value: unknown) =>
  texts[value as string] ?? ''
const emptyModel: ThingModel = { properties: [], services: [], events: [] }
type Queries = ReturnType<typeof productQueries>
type ProductLine = z.output<typeof ProductRowDraft>

export function productRoutes(app: FastifyInstance) {
  const queries = productQueries(app.db)
  app.uniques.add('product', table, Product, productApi.page)
  app.references.add('manufacturer', (db, ids) => productQueries(db).findUsingManufacturers(ids))
  app.references.add('brand', (db, ids) => productQueries(db).findUsingBrands(ids))
  app.references.add('productCategory', (db, ids) => productQueries(db).findUsingCategories(ids))
  app.references.add('product', (db, ids) => listReferencingDevices(db, device.productId, ids))
  serveModelFiles(app, productApi.get, async (id) => requireRow(await queries.get(id), entity))

  serve(app, productApi, {
    page: (query) => queries.page(query),
    list: () => queries.listOptions(),
    get: async ({ id }) => loadDetail(queries, requireRow(await queries.get(id), entity)),

    create: (draft, context) =>
      context.write(productQueries, prepareCreate(draft, context.user.username)),
    exportRows: createExportHandler(app, productApi.exportRows, {
      entity,
      sheet: exportColumns,
      page: (query) => queries.page(query),
    }),
    importRows: createImportHandler(app, productApi.importRows, {
      entity,
      schema: ProductRowDraft,
      sheet,
      queriesOf: productQueries,
      create: (row, actor) => async (rows, note, tx) =>
        prepareCreate(await resolveDraft(rows, row), actor)(rows, note, tx),
      existing: {
        endpoint: productApi.update,
        key: ({ manufacturerName, modelNo }) => JSON.stringify([manufacturerName, modelNo]),
        async find(line, { rows, tx }) {
          const { manufacturerId, modelNo } = await resolveDraft(rows, line)
          return findRow(tx, table, { manufacturerId, modelNo })
        },
        change:
          (before, line, { context }) =>
          async (rows, recordAudit, tx) => {
            const {
              icon: _,
              picture: __,
              ...draft
            } = await resolveDraft(rows, {
              ...(line as ProductLine),
              controlTypes: line.controlTypes ?? before.controlTypes,
            })
            const updateInput = buildChangeFromLine(productApi.update, before, draft)
            return prepareUpdate(updateInput, context.user.username)(rows, recordAudit, tx)
          },
      },
    }),

    copy: ({ id, name, modelNo }, context) =>
      context.write(productQueries, async (rows, recordAudit, tx) => {
        const {
          version: _,
          createTime: __,
          updateTime: ___,
          ...sourceFields
        } = requireRow(await rows.get(id), entity)
        const draft = { ...sourceFields, id: undefined, name, modelNo, ...createInitialFields() }
        await assertUnique(tx, table, Product, draft)
        const row = await rows.insert(draft, context.user.username)
        recordAudit((await createAuditMapper(rows, row))(row, { after: row }))
        return loadDetail(rows, row)
      }),

    update: (change, context) =>
      context.write(productQueries, prepareUpdate(change, context.user.username)),

    remove: ({ id }, context) =>
      context.write(productQueries, async (rows, recordAudit, tx) => {
        const row = requireRow(await rows.get(id), entity)
        await app.references.assertNotReferenced(tx, 'product', id, `产品“${row.name}”`, context)
        await rows.removeAll([row])
        recordAudit((await createAuditMapper(rows, row))(row, { before: row }))
        return null
      }),

    removeMany: ({ ids }, context) =>
      context.write(productQueries, async (rows, recordAudit, tx) => {
        const usageReasons = await app.references.findUsageReasons(tx, 'product', ids, context)
        const getRefusal = ({ id }: ProductRow) => usageReasons.get(id)
        return applyPerRow(ids, await rows.many(ids), getRefusal, async (removableRows) => {
          await rows.removeAll(removableRows)
          for (const row of removableRows)
            recordAudit((await createAuditMapper(rows, row))(row, { before: row }))
        })
      }),

    setStatus: (change, context) =>
      context.write(
        productQueries,
        prepareChange(change, context.user.username, async (before, rows) => {
          if (before.status === change.status)
            throw createRefusal(`产品已是${productStatusText[change.status]}状态`)
          const controls = await rows.findControls(before.controlTypes)
          const statusRefusal = getStatusRefusal(before, change.status, controls)
          if (statusRefusal) throw createRefusal(statusRefusal)
          const toAuditEntry = await createAuditMapper(rows, before)
          return {
            values: { status: change.status },
            change: (after) => toAuditEntry(after, { before, after }),
          }
        }),
      ),

    setStatusOfMany: ({ ids, status }, context) =>
      context.write(productQueries, async (rows, recordAudit) => {
        const list = await rows.many(ids)
        const reasons = new Map<string, string | undefined>()
        for (const row of list)
          if (row.status !== status)
            reasons.set(
              row.id,
              getStatusRefusal(row, status, await rows.findControls(row.controlTypes)),
            )
        const getRefusal = ({ id }: ProductRow) => reasons.get(id)
        return applyPerRow(ids, list, getRefusal, async (changeableRows) => {
          const rowsToChange = changeableRows.filter((row) => row.status !== status)
          await rows.setAll(getIds(rowsToChange), { status }, context.user.username)
          for (const before of rowsToChange)
            recordAudit(
              (await createAuditMapper(rows, before))(before, {
                before,
                after: { ...before, status },
              }),
            )
        })
      }),

    saveModel: (change, context) =>
      context.write(
        productQueries,
        prepareChange(change, context.user.username, async (before) => {
          assertNotDisabled(before)
          assertModelCompatible(before, change.model)
          return {
            values: { model: change.model },
            change: (after) => describeModelChange(entity, after, before.model, change.model),
          }
        }),
      ),

    follow: (change, context) =>
      context.write(
        productQueries,
        prepareChange(change, context.user.username, async (before, rows) => {
          assertNotDisabled(before)
          const targetVersion = await rows.findVersion(before.categoryId, change.number)
          if (!targetVersion) throw createRefusal('所属品类没有这个版本')
          const currentVersion = await rows.findVersion(before.categoryId, before.categoryVersion)
          const isLocked = before.status !== 'developing'
          const { model } = adoptCategoryVersion(
            before.model,
            currentVersion?.model ?? null,
            targetVersion.model,
            isLocked,
          )
          assertModelCompatible(before, model)
          return {
            values: { model, categoryVersion: targetVersion.number },
            change: (after) => describeModelChange(entity, after, before.model, model),
          }
        }),
      ),

    async access({ id }, { projectScope }) {
      const { productKey } = requireRow(await queries.get(id), entity)
      await app.devices.states.flush()
      return {
        mqttUrl: app.settings.mqttUrl?.replace(/\/\/.*@/, '//') ?? null,
        mqttPort: app.devices.mqttPort ?? null,
        heard: await queries.findLastReporting(id, projectScope),
        refusals: await app.devices.refusals.findNewest({ productKey }, projectScope),
      }
    },
    async changes({ id }) {
      requireRow(await queries.get(id), entity)
      return queries.listChanges(id)
    },
  })
}

const createInitialFields = () => ({
  productKey: `a1${randomBytes(5).toString('hex').slice(0, 9)}`,
  dynamicRegister: false,
  status: 'developing' as const,
})

const prepareCreate =
  (draft: ProductDraft, actor: string): WriteCallback<typeof productQueries, ProductDetail> =>
  async (rows, recordAudit, tx) => {
    assertConnectionFieldsValid(draft)
    await assertReferencesValid(rows, draft)
    await assertUnique(tx, table, Product, draft)
    const newestVersion = await rows.findVersion(draft.categoryId, 'newest')
    const row = await rows.insert(
      {
        ...draft,
        ...createInitialFields(),
        model: newestVersion?.model ?? emptyModel,
        categoryVersion: newestVersion?.number ?? 0,
      },
      actor,
    )
    recordAudit((await createAuditMapper(rows, row))(row, { after: row }))
    return loadDetail(rows, row)
  }

type ProductChange = z.output<typeof productApi.update.input>
const prepareUpdate =
  (change: ProductChange, actor: string): WriteCallback<typeof productQueries, ProductDetail> =>
  async (rows, recordAudit, tx) => {
    const before = requireRow(await rows.get(change.id), entity)
    assertNotDisabled(before)
    assertLockedFieldsUnchanged(before, change)
    assertConnectionFieldsValid(change)
    await assertReferencesValid(rows, change, before)
    await assertKeepsProductSecret(rows, change, before)
    await assertUnique(tx, table, Product, change)
    const isCategoryChanged = change.categoryId !== before.categoryId
    const row = await rows.update(
      { ...change, ...(isCategoryChanged && { categoryVersion: 0 }) },
      actor,
    )
    if (!row)
      throw createConflictRefusal(
        await loadDetail(rows, requireRow(await rows.get(change.id), entity)),
      )
    const toAuditEntry = await createAuditMapper(rows, before, row)
    recordAudit(toAuditEntry(row, { before, after: row }))
    return loadDetail(rows, row)
  }

/** Resolves the names of a file row to ids. */
async function resolveDraft(
  rows: Queries,
  { manufacturerName, brandName, categoryName, ...rest }: ProductLine,
): Promise<ProductDraft> {
  const {
    manufacturerId,
    brandId,
    categoryId,
    isTwice: isAmbiguous,
  } = await rows.resolveIds({
    manufacturerName: manufacturerName,
    brandName: brandName,
    categoryName: categoryName,
  })
  if (!manufacturerId) throw createFieldRefusal('manufacturerName', `没有厂商“${manufacturerName}”`)
  if (brandName && !brandId)
    throw createFieldRefusal('brandName', `厂商“${manufacturerName}”没有品牌“${brandName}”`)
  if (isAmbiguous)
    throw createFieldRefusal('categoryName', `有多个品类叫“${categoryName}”，请填写品类编码`)
  if (categoryName && !categoryId)
    throw createFieldRefusal('categoryName', `没有品类“${categoryName}”`)
  return {
    ...rest,
    ...(await rows.resolveCodes(rest.protocol, rest.controlTypes)),
    manufacturerId,
    brandId: brandId ?? null,
    categoryId: categoryId ?? null,
    icon: '',
    picture: '',
  }
}

async function assertReferencesValid(rows: Queries, draft: ProductDraft, before?: ProductRow) {
  if (draft.manufacturerId !== before?.manufacturerId) {
    const maker = await rows.findManufacturer(draft.manufacturerId)
    if (!maker) throw createFieldRefusal('manufacturerId', '所选厂商不存在或已被删除')
    if (maker.status === 'disabled')
      throw createFieldRefusal('manufacturerId', `厂商“${maker.name}”已禁用，请选择其他厂商`)
  }
  if (draft.productType !== before?.productType) {
    const [type] = await rows.findTypes([draft.productType])
    if (!type) throw createFieldRefusal('productType', '所选产品类型不存在或已被删除')
    if (type.status === 'disabled')
      throw createFieldRefusal('productType', `产品类型“${type.name}”已禁用，请选择其他类型`)
  }
  if (draft.brandId) {
    const brand = await rows.findBrand(draft.brandId)
    if (!brand) throw createFieldRefusal('brandId', '所选品牌不存在或已被删除')
    if (brand.manufacturerId !== draft.manufacturerId)
      throw createFieldRefusal('brandId', `品牌“${brand.name}”不属于所选厂商`)
  }
  if (draft.categoryId && draft.categoryId !== before?.categoryId)
    if (!(await rows.findCategory(draft.categoryId)))
      throw createFieldRefusal('categoryId', '所选品类不存在或已被删除')
  await assertProtocolAllowed(rows, draft, before)
  await assertControlTypesAllowed(rows, draft, before)
}

/** Asserts that the product keeps its product secret, because a registration rule needs it. */
async function assertKeepsProductSecret(
  rows: Queries,
  { authType }: ProductDraft,
  before: ProductRow,
) {
  if (authType === before.authType || authType === 'productSecret') return
  if (before.node !== 'sub' && (await rows.hasRegistrationRule(before.id)))
    throw createFieldRefusal('authType', '产品有自注册规则，删除规则后才能改为一机一密')
}

/** A protocol that was chosen before may stay even if it is disabled now. */
async function assertProtocolAllowed(
  rows: Queries,
  { protocol: code, node }: ProductDraft,
  before?: ProductRow,
) {
  if (!code || (code === before?.protocol && node === before.node)) return
  const protocol = await rows.findProtocol(code)
  if (!protocol) throw createFieldRefusal('protocol', `没有通信协议“${code}”`)
  if (protocol.status === 'disabled' && code !== before?.protocol)
    throw createFieldRefusal('protocol', `通信协议“${protocol.name}”已禁用，请选择其他协议`)
  if (!protocol.nodes.includes(node))
    throw createFieldRefusal('protocol', `通信协议“${protocol.name}”不用于${nodeText[node]}`)
}
async function assertControlTypesAllowed(
  rows: Queries,
  { controlTypes }: ProductDraft,
  before?: ProductRow,
) {
  const newCodes = controlTypes.filter((code) => !before?.controlTypes.includes(code))
  const controls = await rows.findControls(newCodes)
  const unknownCode = newCodes.find((code) => !controls.some((one) => one.code === code))
  if (unknownCode) throw createFieldRefusal('controlTypes', `没有控制类型“${unknownCode}”`)
  const disabledControl = controls.find(({ status }) => status === 'disabled')
  if (disabledControl)
    throw createFieldRefusal(
      'controlTypes',
      `控制类型“${disabledControl.name}”已禁用，请选择其他类型`,
    )
  // A product in development may still gain functions, so only a published one must support its control types.
  const missingReason =
    before?.status === 'published' && describeMissingFunctions(before.model, controls)
  if (missingReason) throw createFieldRefusal('controlTypes', `${missingReason}，请先添加`)
}

/** Returns how changes of these products read in the audit log, with names instead of ids. */
async function createAuditMapper(rows: Queries, ...productRows: ProductRow[]) {
  const namedProducts = await rows.addNames(productRows)
  const createNameLookup =
    (id: 'manufacturerId' | 'categoryId', name: 'manufacturerName' | 'categoryName') =>
    (value: unknown) =>
      namedProducts.find((row) => row[id] === value)?.[name] ?? ''
  const controls = await rows.findControls([
    ...new Set(productRows.flatMap((row) => row.controlTypes)),
  ])
  const protocols = await Promise.all(
    productRows.map(({ protocol }) => rows.findProtocol(protocol)),
  )
  const brands = await Promise.all(
    productRows.map(({ brandId }) => (brandId ? rows.findBrand(brandId) : undefined)),
  )
  const types = await rows.findTypes([
    ...new Set(productRows.map(({ productType }) => productType)),
  ])
  return createChangeDescriber(entity, ProductDraft.extend({ status: Product.shape.status }), {
    manufacturerId: createNameLookup('manufacturerId', 'manufacturerName'),
    categoryId: createNameLookup('categoryId', 'categoryName'),
    brandId: (id) => brands.find((brand) => brand?.id === id)?.name ?? '',
    productType: (code) => types.find((one) => one.code === code)?.name ?? String(code),
    node: lookupText(nodeText),
    net: lookupText(netText),
    protocol: (code) => protocols.find((one) => one?.code === code)?.name ?? String(code),
    controlTypes: (codes) =>
      (codes as string[])
        .map((code) => controls.find((one) => one.code === code)?.name ?? code)
        .join('、'),
    authType: lookupText(authTypeText),
    dataFormat: lookupText(dataFormatText),
    status: lookupText(productStatusText),
  })
}

type PlannedChange = {
  values: Partial<ProductRow>
  change: (after: ProductRow) => ReturnType<typeof describeModelChange>
}

/** Changes one product and records the change in the audit log. */
const prepareChange =
  (
    { id, version }: { id: string; version: number },
    actor: string,
    planChange: (before: ProductRow, rows: Queries) => Promise<PlannedChange>,
  ): WriteCallback<typeof productQueries, ProductDetail> =>
  async (rows, recordAudit) => {
    const before = requireRow(await rows.get(id), entity)
    if (before.version !== version) throw createConflictRefusal(await loadDetail(rows, before))
    const { values, change } = await planChange(before, rows)
    const row = await rows.update({ ...values, id, version }, actor)
    if (!row)
      throw createConflictRefusal(await loadDetail(rows, requireRow(await rows.get(id), entity)))
    recordAudit(change(row))
    return loadDetail(rows, row)
  }

type ProductDetail = Awaited<ReturnType<typeof loadDetail>>
async function loadDetail(rows: Queries, row: ProductRow) {
  const [namedProduct] = await rows.addNames([row])
  const newestVersion = await rows.findVersion(row.categoryId, 'newest')
  const followedVersion = await rows.findVersion(row.categoryId, row.categoryVersion)
  return {
    ...namedProduct!,
    newest: newestVersion ?? null,
    followed: followedVersion?.model ?? null,
    controls: await rows.findControls(row.controlTypes),
    speaks: (await rows.findProtocol(row.protocol)) ?? null,
  }
}
