import {
  nodeTypeText,
  transportText,
  formatParameters,
} from '@iot/shared/contract/product/communicationProtocol'
import {
  CommunicationProtocol,
  ProtocolDraft,
  type NodeType,
  type Parameter,
  type Transport,
  communicationProtocolSchemas,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
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
import { communicationProtocol as table } from '../../tables/communicationProtocol'
import { protocolQueries } from './queries'
import { exportColumns, sheet } from './sheet'

const title = '通信协议'
const toAuditEntry = createChangeDescriber(title, ProtocolDraft, {
  transport: (transport) => transportText[transport as Transport],
  nodes: (nodes) => (nodes as NodeType[]).map((node) => nodeTypeText[node]).join('、'),
  parameters: (list) => formatParameters(list as Parameter[]),
  status: (status) => statusText[status as Status],
})

export function communicationProtocolRoutes(app: FastifyInstance) {
  const queries = protocolQueries(app.db)
  app.uniques.add(
    'communicationProtocol',
    table,
    CommunicationProtocol,
    communicationProtocolApi.page,
  )
  app.references.add('communicationProtocol', (db, ids) =>
    protocolQueries(db).listProductsUsing(ids),
  )

  const { insert, change, ...rowHandlers } = createUpdateHandlers(communicationProtocolSchemas, {
    title,
    table,
    createQueries: protocolQueries,
    about: toAuditEntry,
    check: (draft, _, previousRow, tx) =>
      app.references.assertCanDisable(tx, 'communicationProtocol', draft, previousRow),
    answer: (row) => row,
  })

  serve(app, communicationProtocolApi, communicationProtocolSchemas, {
    ...createBulkHandlers(app, {
      name: 'communicationProtocol',
      title,
      createQueries: protocolQueries,
      about: toAuditEntry,
      unless: ({ builtin }) => builtin && '内置通信协议不能删除',
      isKeptInUse: true,
    }),
    ...rowHandlers,
    page: (query) => queries.page(query),
    list: () => queries.listOptions(),
    exportRows: createExportHandler(app, communicationProtocolApi.exportRows, {
      entity: title,
      sheet: exportColumns,
      page: queries.page,
    }),
    importRows: createImportHandler(app, communicationProtocolApi.importRows, {
      entity: title,
      removal: communicationProtocolApi.removeMany,
      schema: ProtocolDraft,
      sheet,
      createQueries: protocolQueries,
      create: insert,
      existing: {
        endpoint: communicationProtocolApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change: (previousRow, line, { context }) =>
          change(
            buildChangeFromLine(communicationProtocolSchemas.update, previousRow, line),
            context.user.username,
          ),
      },
    }),
  })
}
