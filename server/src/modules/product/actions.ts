import { randomBytes } from 'node:crypto'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  productStatusText,
} from '@iot/shared/contract/product/product'
import {
  Product,
  ProductDraft,
  type productSchemas,
} from '@iot/shared/contract/product/product.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import type { z } from 'zod'
import { createConflictRefusal, requireRow } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { WriteCallback } from '../../core/http/context'
import { assertPicturesExist } from '../../core/http/pictures'
import type { describeModelChange } from '../thingModel/policy/modelChange'
import { assertUnique } from '../../core/http/uniqueness'
import { product as table } from '../../tables/device'
import {
  assertNotDisabled,
  assertConnectionFieldsValid,
  assertLockedFieldsUnchanged,
} from './policy'
import type { productQueries, ProductRow } from './queries'
import { assertKeepsProductSecret, assertReferencesValid } from './references'

export const entity = '产品'
const lookupText = (texts: Record<string, string>) => (value: unknown) =>
  texts[value as string] ?? ''
const emptyModel: ThingModel = { properties: [], services: [], events: [] }
export type ProductQueries = ReturnType<typeof productQueries>

export const createInitialFields = () => ({
  productKey: `a1${randomBytes(5).toString('hex').slice(0, 9)}`,
  dynamicRegister: false,
  status: 'developing' as const,
})

/** Creates a product in the transaction of the caller. */
export const prepareCreate =
  (draft: ProductDraft, actor: string): WriteCallback<typeof productQueries, ProductDetail> =>
  async (rows, recordAudit, tx) => {
    assertConnectionFieldsValid(draft)
    await assertReferencesValid(rows, draft)
    await assertPicturesExist(tx, draft)
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

type ProductChange = z.output<typeof productSchemas.update.input>

/** Saves the fields that a form or an imported file sets on a product. */
export const prepareUpdate =
  (change: ProductChange, actor: string): WriteCallback<typeof productQueries, ProductDetail> =>
  async (rows, recordAudit, tx) => {
    const previousProduct = requireRow(await rows.get(change.id), entity)
    assertNotDisabled(previousProduct)
    assertLockedFieldsUnchanged(previousProduct, change)
    assertConnectionFieldsValid(change)
    await assertReferencesValid(rows, change, previousProduct)
    await assertPicturesExist(tx, change, previousProduct)
    await assertKeepsProductSecret(rows, change, previousProduct)
    await assertUnique(tx, table, Product, change)
    const isCategoryChanged = change.categoryId !== previousProduct.categoryId
    const row = await rows.update(
      { ...change, ...(isCategoryChanged && { categoryVersion: 0 }) },
      actor,
    )
    if (!row)
      throw createConflictRefusal(
        await loadDetail(rows, requireRow(await rows.get(change.id), entity)),
      )
    const toAuditEntry = await createAuditMapper(rows, previousProduct, row)
    recordAudit(toAuditEntry(row, { before: previousProduct, after: row }))
    return loadDetail(rows, row)
  }

/** Returns how changes of these products read in the audit log, with names instead of ids. */
export async function createAuditMapper(rows: ProductQueries, ...productRows: ProductRow[]) {
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
    productRows.map(async ({ brandId }) => (brandId ? rows.findBrand(brandId) : undefined)),
  )
  const types = await rows.findTypes([
    ...new Set(productRows.map(({ productType }) => productType)),
  ])
  return createChangeDescriber(entity, ProductDraft.extend({ status: Product.shape.status }), {
    manufacturerId: createNameLookup('manufacturerId', 'manufacturerName'),
    categoryId: createNameLookup('categoryId', 'categoryName'),
    brandId: (id) => brands.find((brand) => brand?.id === id)?.name ?? '',
    productType: (code) => types.find((type) => type.code === code)?.name ?? String(code),
    node: lookupText(nodeText),
    net: lookupText(netText),
    protocol: (code) => protocols.find((protocol) => protocol?.code === code)?.name ?? String(code),
    controlTypes: (codes) =>
      (codes as string[])
        .map((code) => controls.find((control) => control.code === code)?.name ?? code)
        .join('、'),
    authType: lookupText(authTypeText),
    dataFormat: lookupText(dataFormatText),
    status: lookupText(productStatusText),
  })
}

type PlannedChange = {
  values: Partial<ProductRow>
  change: (changedProduct: ProductRow) => ReturnType<typeof describeModelChange>
}

/** Changes one product and records the change in the audit log. */
export const prepareChange =
  (
    { id, version }: { id: string; version: number },
    actor: string,
    planChange: (previousProduct: ProductRow, rows: ProductQueries) => Promise<PlannedChange>,
  ): WriteCallback<typeof productQueries, ProductDetail> =>
  async (rows, recordAudit) => {
    const previousProduct = requireRow(await rows.get(id), entity)
    if (previousProduct.version !== version)
      throw createConflictRefusal(await loadDetail(rows, previousProduct))
    const { values, change } = await planChange(previousProduct, rows)
    const row = await rows.update({ ...values, id, version }, actor)
    if (!row)
      throw createConflictRefusal(await loadDetail(rows, requireRow(await rows.get(id), entity)))
    recordAudit(change(row))
    return loadDetail(rows, row)
  }

type ProductDetail = Awaited<ReturnType<typeof loadDetail>>
export async function loadDetail(rows: ProductQueries, row: ProductRow) {
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
