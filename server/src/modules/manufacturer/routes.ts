import {
  Manufacturer,
  ManufacturerDraft,
  manufacturerSchemas,
} from '@iot/shared/contract/product/manufacturer.schema'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versionedQueries'
import { createChangeDescriber } from '../../core/http/actionLog'
import { requireRow } from '../../core/refusal'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { assertRegionExists, formatRegion } from '../region/policy'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { manufacturer as table } from '../../tables/manufacturer'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { manufacturerQueries, withRegionName } from './queries'
import { sheet } from './sheet'

const entity = '厂商'
const toAuditEntry = createChangeDescriber(entity, ManufacturerDraft, {
  areaCode: (code) => formatRegion(String(code)),
  status: (status) => statusText[status as Status],
})

export function manufacturerRoutes(app: FastifyInstance) {
  const queries = manufacturerQueries(app.db)
  app.uniques.add('manufacturer', table, Manufacturer, manufacturerApi.page)

  const { insert, change, ...rowHandlers } = createUpdateHandlers(manufacturerSchemas, {
    title: entity,
    table,
    createQueries: manufacturerQueries,
    about: toAuditEntry,
    // A region that was abolished may stay; a new choice must exist.
    check({ areaCode }, _, previousRow) {
      if (areaCode !== previousRow?.areaCode) assertRegionExists(areaCode)
    },
    answer: withRegionName,
  })

  serve(app, manufacturerApi, manufacturerSchemas, {
    ...createBulkHandlers(app, {
      name: 'manufacturer',
      title: '厂商',
      createQueries: manufacturerQueries,
      about: toAuditEntry,
    }),
    page: (query) => queries.page(query),
    list: () => queries.listOptions(),
    get: async ({ id }) => withRegionName(requireRow(await queries.get(id), entity)),
    ...rowHandlers,
    exportRows: createExportHandler(app, manufacturerApi.exportRows, {
      entity,
      sheet,
      page: queries.page,
    }),
    importRows: createImportHandler(app, manufacturerApi.importRows, {
      entity,
      removal: manufacturerApi.removeMany,
      schema: ManufacturerDraft,
      sheet,
      rest: { logo: '' },
      createQueries: manufacturerQueries,
      create: insert,
      existing: {
        endpoint: manufacturerApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change: (previousRow, line, { context }) =>
          change(
            buildChangeFromLine(manufacturerSchemas.update, previousRow, line),
            context.user.username,
          ),
      },
    }),
  })
}
