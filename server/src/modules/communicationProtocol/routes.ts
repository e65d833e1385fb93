import {
  CommunicationProtocol,
  communicationProtocolApi,
  nodeTypeText,
  ProtocolDraft,
  transportText,
  type NodeType,
  type Parameter,
  type Transport,
  wordsOfParameters,
} from '@iot/shared/contract/communicationProtocol'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versioned'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { communicationProtocol as table } from '../../tables/communicationProtocol'
import { protocolQueries } from './queries'
import { exported, sheet } from './sheet'

const title = '通信协议'
const about = changeOf(title, ProtocolDraft, {
  transport: (transport) => transportText[transport as Transport],
  nodes: (nodes) => (nodes as NodeType[]).map((node) => nodeTypeText[node]).join('、'),
  parameters: (list) => wordsOfParameters(list as Parameter[]),
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
  app.references.add('communicationProtocol', (db, ids) => protocolQueries(db).products(ids))

  const { insert, change, ...saved } = savedRow(communicationProtocolApi, {
    title,
    table,
    queriesOf: protocolQueries,
    about,
    check: (draft, _, before, tx) =>
      app.references.mustStayEnabled(tx, 'communicationProtocol', draft, before),
    answer: (row) => row,
  })

  serve(app, communicationProtocolApi, {
    ...manyRows(app, {
      name: 'communicationProtocol',
      title,
      queriesOf: protocolQueries,
      about,
      unless: ({ builtin }) => builtin && '内置通信协议不能删除',
      isKeptInUse: true,
    }),
    ...saved,
    page: (query) => queries.page(query),
    list: () => queries.options(),
    exportRows: exporter(app, communicationProtocolApi.exportRows, {
      entity: title,
      sheet: exported,
      page: queries.page,
    }),
    importRows: importer(app, communicationProtocolApi.importRows, {
      entity: title,
      schema: ProtocolDraft,
      sheet,
      queriesOf: protocolQueries,
      create: insert,
      existing: {
        endpoint: communicationProtocolApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change: (before, line, { context }) =>
          change(changeFrom(communicationProtocolApi.update, before, line), context.user.username),
      },
    }),
  })
}
