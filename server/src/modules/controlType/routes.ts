import { capabilityText, widgetText } from '@iot/shared/contract/product/controlType'
import {
  ControlType,
  ControlTypeDraft,
  type Capability,
  type Widget,
  controlTypeSchemas,
} from '@iot/shared/contract/product/controlType.schema'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versionedQueries'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { controlType as table } from '../../tables/controlType'
import { controlTypeQueries } from './queries'
import { sheet } from './sheet'

const title = '控制类型'
const toAuditEntry = createChangeDescriber(title, ControlTypeDraft, {
  capability: (capability) => capabilityText[capability as Capability],
  widget: (widget) => widgetText[widget as Widget],
  status: (status) => statusText[status as Status],
})

export function controlTypeRoutes(app: FastifyInstance) {
  const queries = controlTypeQueries(app.db)
  app.uniques.add('controlType', table, ControlType, controlTypeApi.page)
  app.references.add('controlType', (db, ids) => controlTypeQueries(db).listProductsUsing(ids))

  const { insert, change, ...rowHandlers } = createUpdateHandlers(controlTypeSchemas, {
    title,
    table,
    createQueries: controlTypeQueries,
    about: toAuditEntry,
    check: (draft, _, previousRow, tx) =>
      app.references.assertCanDisable(tx, 'controlType', draft, previousRow),
    answer: (row) => row,
  })

  serve(app, controlTypeApi, controlTypeSchemas, {
    ...createBulkHandlers(app, {
      name: 'controlType',
      title,
      createQueries: controlTypeQueries,
      about: toAuditEntry,
      isKeptInUse: true,
    }),
    ...rowHandlers,
    page: (query) => queries.page(query),
    list: () => queries.listOptions(),
    exportRows: createExportHandler(app, controlTypeApi.exportRows, {
      entity: title,
      sheet,
      page: queries.page,
    }),
    importRows: createImportHandler(app, controlTypeApi.importRows, {
      entity: title,
      removal: controlTypeApi.removeMany,
      schema: ControlTypeDraft,
      sheet,
      createQueries: controlTypeQueries,
      create: insert,
      existing: {
        endpoint: controlTypeApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change: (previousRow, line, { context }) =>
          change(
            buildChangeFromLine(controlTypeSchemas.update, previousRow, line),
            context.user.username,
          ),
      },
    }),
  })
}
