import { Product, productSchemas } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import type { FastifyInstance } from 'fastify'
import { requireRow } from '../../core/refusal'
import { serveModelFiles } from '../thingModel/policy/modelFiles'
import { applyPerRow } from '../../core/http/applyPerRow'
import { serve } from '../../core/http/serve'
import { assertUnique } from '../../core/http/uniqueness'
import { createExportHandler } from '../../core/tasks/export'
import { device, product as table } from '../../tables/device'
import { listReferencingDevices } from '../device/policy/scope'
import {
  createAuditMapper,
  createInitialFields,
  entity,
  loadDetail,
  prepareCreate,
  prepareUpdate,
} from './actions'
import { findFunctionUsage, getDropRefusal } from './functionUsage'
import { importProducts } from './importProducts'
import { modelHandlers } from './modelHandlers'
import { listMissingReasons } from './policy'
import { productQueries, type ProductRow } from './queries'
import { exportColumns } from './sheet'
import { statusHandlers } from './statusHandlers'

export function productRoutes(app: FastifyInstance) {
  const queries = productQueries(app.db)
  app.uniques.add('product', table, Product, productApi.page)
  app.references.add('manufacturer', (db, ids) => productQueries(db).findUsingManufacturers(ids))
  app.references.add('brand', (db, ids) => productQueries(db).findUsingBrands(ids))
  app.references.add('productCategory', (db, ids) => productQueries(db).findUsingCategories(ids))
  app.references.add('product', (db, ids) => listReferencingDevices(db, device.productId, ids))
  serveModelFiles(app, productApi.get, async (id) => requireRow(await queries.get(id), entity))

  serve(app, productApi, productSchemas, {
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
    importRows: importProducts(app),

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

    ...statusHandlers,
    ...modelHandlers,

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
    async publishCheck({ id }, { projectScope }) {
      const { model, controlTypes } = requireRow(await queries.get(id), entity)
      await app.devices.states.flush()
      const reports = await queries.findReportTimes(id, projectScope)
      const silentProperties = model.properties.filter(
        ({ identifier, accessMode, isDeprecated }) =>
          accessMode !== 'w' && !isDeprecated && !reports.lastMsByIdentifier.has(identifier),
      )
      return {
        missing: listMissingReasons(model, await queries.findControls(controlTypes)),
        dropped: await queries.findDroppedValues(id, projectScope),
        silent: reports.reportingCount > 0 ? silentProperties : [],
        deviceCount: reports.deviceCount,
        reportingCount: reports.reportingCount,
      }
    },
    async functionUsage({ id, identifier }) {
      const product = requireRow(await queries.get(id), entity)
      await app.devices.states.flush()
      const controls = await queries.findControls(product.controlTypes)
      const usage = await findFunctionUsage(app.db, product, identifier, controls)
      return { ...usage, refusal: getDropRefusal(usage, product.model) ?? null }
    },
    async changes({ id }) {
      requireRow(await queries.get(id), entity)
      return queries.listChanges(id)
    },
  })
}
