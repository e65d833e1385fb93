import { Brand, BrandDraft, brandSchemas } from '@iot/shared/contract/product/brand.schema'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versionedQueries'
import { createFieldRefusal } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { assertStandardCodes } from '../category/policy'
import { brand as table } from '../../tables/brand'
import { brandQueries } from './queries'
import { BrandLine, exportColumns, sheet } from './sheet'

const title = '品牌'
const valueFormatters = { status: (status: unknown) => statusText[status as Status] }
const toAuditEntry = createChangeDescriber(title, BrandDraft, valueFormatters)

export function brandRoutes(app: FastifyInstance) {
  const queries = brandQueries(app.db)
  app.uniques.add('brand', table, Brand, brandApi.page)
  app.references.add('manufacturer', (db, ids) => brandQueries(db).listBrandsByManufacturer(ids))

  const { insert, change, ...rowHandlers } = createUpdateHandlers(brandSchemas, {
    title,
    table,
    createQueries: brandQueries,
    about: toAuditEntry,
    async check({ manufacturerId, categories }, rows, previousRow) {
      assertStandardCodes(categories)
      if (manufacturerId !== previousRow?.manufacturerId)
        assertManufacturerIsSelectable(await rows.findManufacturer(manufacturerId))
    },
    answer: async (row, rows) => (await rows.withManufacturerNames([row]))[0]!,
  })

  serve(app, brandApi, brandSchemas, {
    ...createBulkHandlers(app, {
      name: 'brand',
      title,
      createQueries: brandQueries,
      about: toAuditEntry,
    }),
    ...rowHandlers,
    page: (query) => queries.page(query),
    exportRows: createExportHandler(app, brandApi.exportRows, {
      entity: title,
      sheet: exportColumns,
      page: (query: Parameters<typeof queries.page>[0]) => queries.page(query),
    }),
    importRows: createImportHandler(app, brandApi.importRows, {
      entity: title,
      removal: brandApi.removeMany,
      schema: BrandLine,
      sheet,
      createQueries: brandQueries,
      create:
        ({ manufacturerName, ...line }, actor) =>
        async (rows, recordAudit, tx) => {
          const manufacturer = await rows.findManufacturerByName(manufacturerName)
          if (!manufacturer)
            throw createFieldRefusal('manufacturerName', `没有厂商“${manufacturerName}”`)
          return insert({ ...line, manufacturerId: manufacturer.id, logo: '' }, actor)(
            rows,
            recordAudit,
            tx,
          )
        },
      existing: {
        endpoint: brandApi.update,
        key: ({ manufacturerName, name }) => JSON.stringify([manufacturerName, name]),
        async find({ manufacturerName, name }, { rows, tx }) {
          const manufacturer = await rows.findManufacturerByName(manufacturerName)
          return manufacturer && findRow(tx, table, { manufacturerId: manufacturer.id, name })
        },
        change: (previousRow, line, { context }) =>
          change(
            buildChangeFromLine(brandSchemas.update, previousRow, line),
            context.user.username,
          ),
      },
    }),
  })
}

function assertManufacturerIsSelectable(
  manufacturer: { name: string; status: Status } | undefined,
) {
  if (!manufacturer) throw createFieldRefusal('manufacturerId', '所选厂商不存在或已被删除')
  if (manufacturer.status === 'disabled')
    throw createFieldRefusal('manufacturerId', `厂商“${manufacturer.name}”已禁用，请选择其他厂商`)
}
