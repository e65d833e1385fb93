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
import { follow } from '@iot/shared/contract/modelMerge'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { findRow } from '../../core/db/versioned'
import { changedSince, found, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Writing } from '../../core/serve/context'
import { modelChange } from '../../core/serve/modelChange'
import { serveModelFiles } from '../../core/serve/modelFiles'
import { idsOf, perRow } from '../../core/serve/perRow'
import { changeFrom } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { device, product as table } from '../../tables/device'
import { devicesNaming } from '../device/policy'
import { lacksFor, mustBeInUse, mustBeWhole, mustKeep, mustSpeakOn, refuseStatus } from './policy'
import { productQueries, type ProductRow } from './queries'
import { exported, ProductRowDraft, sheet } from './sheet'

const entity = '产品'
const words = (texts: Record<string, string>) => (value: unknown) => texts[value as string] ?? ''
const none: ThingModel = { properties: [], services: [], events: [] }
type Queries = ReturnType<typeof productQueries>
type ProductLine = z.output<typeof ProductRowDraft>

export function productRoutes(app: FastifyInstance) {
  const queries = productQueries(app.db)
  app.uniques.add('product', table, Product, productApi.page)
  app.references.add('manufacturer', (db, ids) => productQueries(db).ofManufacturers(ids))
  app.references.add('brand', (db, ids) => productQueries(db).ofBrands(ids))
  app.references.add('productCategory', (db, ids) => productQueries(db).ofCategories(ids))
  app.references.add('product', (db, ids) => devicesNaming(db, device.productId, ids))
  serveModelFiles(app, productApi.get, async (id) => found(await queries.get(id), entity))

  serve(app, productApi, {
    page: (query) => queries.page(query),
    list: () => queries.options(),
    get: async ({ id }) => detail(queries, found(await queries.get(id), entity)),

    create: (draft, context) =>
      context.write(productQueries, creating(draft, context.user.username)),
    exportRows: exporter(app, productApi.exportRows, {
      entity,
      sheet: exported,
      page: (query) => queries.page(query),
    }),
    importRows: importer(app, productApi.importRows, {
      entity,
      schema: ProductRowDraft,
      sheet,
      queriesOf: productQueries,
      create: (row, by) => async (rows, note, tx) =>
        creating(await draftOf(rows, row), by)(rows, note, tx),
      existing: {
        endpoint: productApi.update,
        key: ({ manufacturerName, modelNo }) => JSON.stringify([manufacturerName, modelNo]),
        async find(line, { rows, tx }) {
          const { manufacturerId, modelNo } = await draftOf(rows, line)
          return findRow(tx, table, { manufacturerId, modelNo })
        },
        change:
          (before, line, { context }) =>
          async (rows, note, tx) => {
            const {
              icon: _,
              picture: __,
              ...draft
            } = await draftOf(rows, {
              ...(line as ProductLine),
              controlTypes: line.controlTypes ?? before.controlTypes,
            })
            const wanted = changeFrom(productApi.update, before, draft)
            return updating(wanted, context.user.username)(rows, note, tx)
          },
      },
    }),

    copy: ({ id, name, modelNo }, context) =>
      context.write(productQueries, async (rows, note, tx) => {
        const {
          version: _,
          createTime: __,
          updateTime: ___,
          ...from
        } = found(await rows.get(id), entity)
        const draft = { ...from, id: undefined, name, modelNo, ...made() }
        await mustBeFree(tx, table, Product, draft)
        const row = await rows.insert(draft, context.user.username)
        note((await aboutOf(rows, row))(row, { after: row }))
        return detail(rows, row)
      }),

    update: (change, context) =>
      context.write(productQueries, updating(change, context.user.username)),

    remove: ({ id }, context) =>
      context.write(productQueries, async (rows, note, tx) => {
        const row = found(await rows.get(id), entity)
        await app.references.mustBeFree(tx, 'product', id, `产品“${row.name}”`, context)
        await rows.removeAll([row])
        note((await aboutOf(rows, row))(row, { before: row }))
        return null
      }),

    removeMany: ({ ids }, context) =>
      context.write(productQueries, async (rows, note, tx) => {
        const used = await app.references.inUse(tx, 'product', ids, context)
        const refusal = ({ id }: ProductRow) => used.get(id)
        return perRow(ids, await rows.many(ids), refusal, async (free) => {
          await rows.removeAll(free)
          for (const row of free) note((await aboutOf(rows, row))(row, { before: row }))
        })
      }),

    setStatus: (change, context) =>
      context.write(
        productQueries,
        changing(change, context.user.username, async (before, rows) => {
          if (before.status === change.status)
            throw refused(`产品已是${productStatusText[change.status]}状态`)
          const controls = await rows.controls(before.controlTypes)
          const why = refuseStatus(before, change.status, controls)
          if (why) throw refused(why)
          const about = await aboutOf(rows, before)
          return {
            values: { status: change.status },
            change: (after) => about(after, { before, after }),
          }
        }),
      ),

    setStatusOfMany: ({ ids, status }, context) =>
      context.write(productQueries, async (rows, note) => {
        const list = await rows.many(ids)
        const why = new Map<string, string | undefined>()
        for (const row of list)
          if (row.status !== status)
            why.set(row.id, refuseStatus(row, status, await rows.controls(row.controlTypes)))
        const refusal = ({ id }: ProductRow) => why.get(id)
        return perRow(ids, list, refusal, async (free) => {
          const differ = free.filter((row) => row.status !== status)
          await rows.setAll(idsOf(differ), { status }, context.user.username)
          for (const before of differ)
            note((await aboutOf(rows, before))(before, { before, after: { ...before, status } }))
        })
      }),

    saveModel: (change, context) =>
      context.write(
        productQueries,
        changing(change, context.user.username, async (before) => {
          mustBeInUse(before)
          mustSpeakOn(before, change.model)
          return {
            values: { model: change.model },
            change: (after) => modelChange(entity, after, before.model, change.model),
          }
        }),
      ),

    follow: (change, context) =>
      context.write(
        productQueries,
        changing(change, context.user.username, async (before, rows) => {
          mustBeInUse(before)
          const to = await rows.versionOf(before.categoryId, change.number)
          if (!to) throw refused('所属品类没有这个版本')
          const from = await rows.versionOf(before.categoryId, before.categoryVersion)
          const isLocked = before.status !== 'developing'
          const { model } = follow(before.model, from?.model ?? null, to.model, isLocked)
          mustSpeakOn(before, model)
          return {
            values: { model, categoryVersion: to.number },
            change: (after) => modelChange(entity, after, before.model, model),
          }
        }),
      ),

    async access({ id }, { projectScope }) {
      const { productKey } = found(await queries.get(id), entity)
      await app.devices.states.flush()
      return {
        mqttUrl: app.settings.mqttUrl?.replace(/\/\/.*@/, '//') ?? null,
        mqttPort: app.devices.mqttPort ?? null,
        heard: await queries.heard(id, projectScope),
        refusals: await app.devices.refusals.newest({ productKey }, projectScope),
      }
    },
    async changes({ id }) {
      found(await queries.get(id), entity)
      return queries.changes(id)
    },
  })
}

const made = () => ({
  productKey: `a1${randomBytes(5).toString('hex').slice(0, 9)}`,
  dynamicRegister: false,
  status: 'developing' as const,
})

const creating =
  (draft: ProductDraft, by: string): Writing<typeof productQueries, Detail> =>
  async (rows, note, tx) => {
    mustBeWhole(draft)
    await mustFit(rows, draft)
    await mustBeFree(tx, table, Product, draft)
    const newest = await rows.versionOf(draft.categoryId, 'newest')
    const row = await rows.insert(
      {
        ...draft,
        ...made(),
        model: newest?.model ?? none,
        categoryVersion: newest?.number ?? 0,
      },
      by,
    )
    note((await aboutOf(rows, row))(row, { after: row }))
    return detail(rows, row)
  }

type Change = z.output<typeof productApi.update.input>
const updating =
  (change: Change, by: string): Writing<typeof productQueries, Detail> =>
  async (rows, note, tx) => {
    const before = found(await rows.get(change.id), entity)
    mustBeInUse(before)
    mustKeep(before, change)
    mustBeWhole(change)
    await mustFit(rows, change, before)
    await mustLetRegister(rows, change, before)
    await mustBeFree(tx, table, Product, change)
    const isMoved = change.categoryId !== before.categoryId
    const row = await rows.update({ ...change, ...(isMoved && { categoryVersion: 0 }) }, by)
    if (!row) throw changedSince(await detail(rows, found(await rows.get(change.id), entity)))
    const about = await aboutOf(rows, before, row)
    note(about(row, { before, after: row }))
    return detail(rows, row)
  }

/** Resolves the names of a file row to ids. */
async function draftOf(
  rows: Queries,
  { manufacturerName, brandName, categoryName, ...rest }: ProductLine,
): Promise<ProductDraft> {
  const { manufacturerId, brandId, categoryId, isTwice } = await rows.idsByName({
    maker: manufacturerName,
    brandOf: brandName,
    kind: categoryName,
  })
  if (!manufacturerId) throw wrongField('manufacturerName', `没有厂商“${manufacturerName}”`)
  if (brandName && !brandId)
    throw wrongField('brandName', `厂商“${manufacturerName}”没有品牌“${brandName}”`)
  if (isTwice) throw wrongField('categoryName', `有多个品类叫“${categoryName}”，请填写品类编码`)
  if (categoryName && !categoryId) throw wrongField('categoryName', `没有品类“${categoryName}”`)
  return {
    ...rest,
    ...(await rows.codesByName(rest.protocol, rest.controlTypes)),
    manufacturerId,
    brandId: brandId ?? null,
    categoryId: categoryId ?? null,
    icon: '',
    picture: '',
  }
}

async function mustFit(rows: Queries, draft: ProductDraft, before?: ProductRow) {
  if (draft.manufacturerId !== before?.manufacturerId) {
    const maker = await rows.manufacturer(draft.manufacturerId)
    if (!maker) throw wrongField('manufacturerId', '所选厂商不存在或已被删除')
    if (maker.status === 'disabled')
      throw wrongField('manufacturerId', `厂商“${maker.name}”已禁用，请选择其他厂商`)
  }
  if (draft.productType !== before?.productType) {
    const [type] = await rows.types([draft.productType])
    if (!type) throw wrongField('productType', '所选产品类型不存在或已被删除')
    if (type.status === 'disabled')
      throw wrongField('productType', `产品类型“${type.name}”已禁用，请选择其他类型`)
  }
  if (draft.brandId) {
    const brand = await rows.brand(draft.brandId)
    if (!brand) throw wrongField('brandId', '所选品牌不存在或已被删除')
    if (brand.manufacturerId !== draft.manufacturerId)
      throw wrongField('brandId', `品牌“${brand.name}”不属于所选厂商`)
  }
  if (draft.categoryId && draft.categoryId !== before?.categoryId)
    if (!(await rows.category(draft.categoryId)))
      throw wrongField('categoryId', '所选品类不存在或已被删除')
  await mustSpeak(rows, draft, before)
  await mustObey(rows, draft, before)
}

/** Asserts that the product keeps its product secret, because a registration rule needs it. */
async function mustLetRegister(rows: Queries, { authType }: ProductDraft, before: ProductRow) {
  if (authType === before.authType || authType === 'productSecret') return
  if (before.node !== 'sub' && (await rows.registersItself(before.id)))
    throw wrongField('authType', '产品有自注册规则，删除规则后才能改为一机一密')
}

/** A protocol that was chosen before may stay even if it is disabled now. */
async function mustSpeak(
  rows: Queries,
  { protocol: code, node }: ProductDraft,
  before?: ProductRow,
) {
  if (!code || (code === before?.protocol && node === before.node)) return
  const protocol = await rows.protocol(code)
  if (!protocol) throw wrongField('protocol', `没有通信协议“${code}”`)
  if (protocol.status === 'disabled' && code !== before?.protocol)
    throw wrongField('protocol', `通信协议“${protocol.name}”已禁用，请选择其他协议`)
  if (!protocol.nodes.includes(node))
    throw wrongField('protocol', `通信协议“${protocol.name}”不用于${nodeText[node]}`)
}
async function mustObey(rows: Queries, { controlTypes }: ProductDraft, before?: ProductRow) {
  const added = controlTypes.filter((code) => !before?.controlTypes.includes(code))
  const controls = await rows.controls(added)
  const unknown = added.find((code) => !controls.some((one) => one.code === code))
  if (unknown) throw wrongField('controlTypes', `没有控制类型“${unknown}”`)
  const off = controls.find(({ status }) => status === 'disabled')
  if (off) throw wrongField('controlTypes', `控制类型“${off.name}”已禁用，请选择其他类型`)
  // A product in development may still gain functions, so only a published one must support its control types.
  const lacks = before?.status === 'published' && lacksFor(before.model, controls)
  if (lacks) throw wrongField('controlTypes', `${lacks}，请先添加`)
}

/** Returns how changes of these products read in the audit log, with names instead of ids. */
async function aboutOf(rows: Queries, ...of: ProductRow[]) {
  const named = await rows.named(of)
  const nameBy =
    (id: 'manufacturerId' | 'categoryId', name: 'manufacturerName' | 'categoryName') =>
    (value: unknown) =>
      named.find((row) => row[id] === value)?.[name] ?? ''
  const controls = await rows.controls([...new Set(of.flatMap((row) => row.controlTypes))])
  const protocols = await Promise.all(of.map(({ protocol }) => rows.protocol(protocol)))
  const brands = await Promise.all(
    of.map(({ brandId }) => (brandId ? rows.brand(brandId) : undefined)),
  )
  const types = await rows.types([...new Set(of.map(({ productType }) => productType))])
  return changeOf(entity, ProductDraft.extend({ status: Product.shape.status }), {
    manufacturerId: nameBy('manufacturerId', 'manufacturerName'),
    categoryId: nameBy('categoryId', 'categoryName'),
    brandId: (id) => brands.find((brand) => brand?.id === id)?.name ?? '',
    productType: (code) => types.find((one) => one.code === code)?.name ?? String(code),
    node: words(nodeText),
    net: words(netText),
    protocol: (code) => protocols.find((one) => one?.code === code)?.name ?? String(code),
    controlTypes: (codes) =>
      (codes as string[])
        .map((code) => controls.find((one) => one.code === code)?.name ?? code)
        .join('、'),
    authType: words(authTypeText),
    dataFormat: words(dataFormatText),
    status: words(productStatusText),
  })
}

type Changed = {
  values: Partial<ProductRow>
  change: (after: ProductRow) => ReturnType<typeof modelChange>
}

/** Changes one product and records the change in the audit log. */
const changing =
  (
    { id, version }: { id: string; version: number },
    by: string,
    make: (before: ProductRow, rows: Queries) => Promise<Changed>,
  ): Writing<typeof productQueries, Detail> =>
  async (rows, note) => {
    const before = found(await rows.get(id), entity)
    if (before.version !== version) throw changedSince(await detail(rows, before))
    const { values, change } = await make(before, rows)
    const row = await rows.update({ ...values, id, version }, by)
    if (!row) throw changedSince(await detail(rows, found(await rows.get(id), entity)))
    note(change(row))
    return detail(rows, row)
  }

type Detail = Awaited<ReturnType<typeof detail>>
async function detail(rows: Queries, row: ProductRow) {
  const [named] = await rows.named([row])
  const newest = await rows.versionOf(row.categoryId, 'newest')
  const followed = await rows.versionOf(row.categoryId, row.categoryVersion)
  return {
    ...named!,
    newest: newest ?? null,
    followed: followed?.model ?? null,
    controls: await rows.controls(row.controlTypes),
    speaks: (await rows.protocol(row.protocol)) ?? null,
  }
}
