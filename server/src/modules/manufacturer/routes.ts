import { Manufacturer, manufacturerApi, ManufacturerDraft } from '@iot/shared/contract/manufacturer'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versioned'
import { changeOf } from '../../core/serve/actionLog'
import { found } from '../../core/refusal'
import { manyRows } from '../../core/serve/manyRows'
import { mustBeRegion, regionName } from '../../core/serve/region'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { manufacturer as table } from '../../tables/manufacturer'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { manufacturerQueries, named } from './queries'
import { sheet } from './sheet'

const entity = '厂商'
const about = changeOf(entity, ManufacturerDraft, {
  areaCode: (code) => regionName(String(code)),
  status: (status) => statusText[status as Status],
})

export function manufacturerRoutes(app: FastifyInstance) {
  const queries = manufacturerQueries(app.db)
  app.uniques.add('manufacturer', table, Manufacturer, manufacturerApi.page)

  const { insert, change, ...saved } = savedRow(manufacturerApi, {
    title: entity,
    table,
    queriesOf: manufacturerQueries,
    about,
    // A region that was abolished may stay; a new choice must exist.
    check({ areaCode }, _, before) {
      if (areaCode !== before?.areaCode) mustBeRegion(areaCode)
    },
    answer: named,
  })

  serve(app, manufacturerApi, {
    ...manyRows(app, {
      name: 'manufacturer',
      title: '厂商',
      queriesOf: manufacturerQueries,
      about,
    }),
    page: (query) => queries.page(query),
    list: () => queries.options(),
    get: async ({ id }) => named(found(await queries.get(id), entity)),
    ...saved,
    exportRows: exporter(app, manufacturerApi.exportRows, { entity, sheet, page: queries.page }),
    importRows: importer(app, manufacturerApi.importRows, {
      entity,
      schema: ManufacturerDraft,
      sheet,
      rest: { logo: '' },
      queriesOf: manufacturerQueries,
      create: insert,
      existing: {
        endpoint: manufacturerApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change: (before, line, { context }) =>
          change(changeFrom(manufacturerApi.update, before, line), context.user.username),
      },
    }),
  })
}
