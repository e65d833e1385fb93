import {
  capabilityText,
  ControlType,
  controlTypeApi,
  ControlTypeDraft,
  widgetText,
  type Capability,
  type Widget,
} from '@iot/shared/contract/controlType'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versioned'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { controlType as table } from '../../tables/controlType'
import { controlTypeQueries } from './queries'
import { sheet } from './sheet'

const title = '控制类型'
const about = changeOf(title, ControlTypeDraft, {
  capability: (capability) => capabilityText[capability as Capability],
  widget: (widget) => widgetText[widget as Widget],
  status: (status) => statusText[status as Status],
})

export function controlTypeRoutes(app: FastifyInstance) {
  const queries = controlTypeQueries(app.db)
  app.uniques.add('controlType', table, ControlType, controlTypeApi.page)
  app.references.add('controlType', (db, ids) => controlTypeQueries(db).products(ids))

  const { insert, change, ...saved } = savedRow(controlTypeApi, {
    title,
    table,
    queriesOf: controlTypeQueries,
    about,
    check: (draft, _, before, tx) =>
      app.references.mustStayEnabled(tx, 'controlType', draft, before),
    answer: (row) => row,
  })

  serve(app, controlTypeApi, {
    ...manyRows(app, {
      name: 'controlType',
      title,
      queriesOf: controlTypeQueries,
      about,
      isKeptInUse: true,
    }),
    ...saved,
    page: (query) => queries.page(query),
    list: () => queries.options(),
    exportRows: exporter(app, controlTypeApi.exportRows, {
      entity: title,
      sheet,
      page: queries.page,
    }),
    importRows: importer(app, controlTypeApi.importRows, {
      entity: title,
      schema: ControlTypeDraft,
      sheet,
      queriesOf: controlTypeQueries,
      create: insert,
      existing: {
        endpoint: controlTypeApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change: (before, line, { context }) =>
          change(changeFrom(controlTypeApi.update, before, line), context.user.username),
      },
    }),
  })
}
