import { Brand, brandApi, BrandDraft } from '@iot/shared/contract/brand'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versioned'
import { wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { mustBeStandard } from '../category/policy'
import { brand as table } from '../../tables/brand'
import { brandQueries } from './queries'
import { BrandLine, exported, sheet } from './sheet'

const title = '品牌'
const show = { status: (status: unknown) => statusText[status as Status] }
const about = changeOf(title, BrandDraft, show)

export function brandRoutes(app: FastifyInstance) {
  const queries = brandQueries(app.db)
  app.uniques.add('brand', table, Brand, brandApi.page)
  app.references.add('manufacturer', (db, ids) => brandQueries(db).ofManufacturers(ids))

  const { insert, change, ...saved } = savedRow(brandApi, {
    title,
    table,
    queriesOf: brandQueries,
    about,
    async check({ manufacturerId, categories }, rows, before) {
      mustBeStandard(categories)
      if (manufacturerId !== before?.manufacturerId)
        mustBeChoosable(await rows.manufacturer(manufacturerId))
    },
    answer: async (row, rows) => (await rows.named([row]))[0]!,
  })

  serve(app, brandApi, {
    ...manyRows(app, { name: 'brand', title, queriesOf: brandQueries, about }),
    ...saved,
    page: (query) => queries.page(query),
    exportRows: exporter(app, brandApi.exportRows, {
      entity: title,
      sheet: exported,
      page: (query: Parameters<typeof queries.page>[0]) => queries.page(query),
    }),
    importRows: importer(app, brandApi.importRows, {
      entity: title,
      schema: BrandLine,
      sheet,
      queriesOf: brandQueries,
      create:
        ({ manufacturerName, ...line }, by) =>
        async (rows, note, tx) => {
          const maker = await rows.manufacturerNamed(manufacturerName)
          if (!maker) throw wrongField('manufacturerName', `没有厂商“${manufacturerName}”`)
          return insert({ ...line, manufacturerId: maker.id, logo: '' }, by)(rows, note, tx)
        },
      existing: {
        endpoint: brandApi.update,
        key: ({ manufacturerName, name }) => JSON.stringify([manufacturerName, name]),
        async find({ manufacturerName, name }, { rows, tx }) {
          const maker = await rows.manufacturerNamed(manufacturerName)
          return maker && findRow(tx, table, { manufacturerId: maker.id, name })
        },
        change: (before, line, { context }) =>
          change(changeFrom(brandApi.update, before, line), context.user.username),
      },
    }),
  })
}

function mustBeChoosable(manufacturer: { name: string; status: Status } | undefined) {
  if (!manufacturer) throw wrongField('manufacturerId', '所选厂商不存在或已被删除')
  if (manufacturer.status === 'disabled')
    throw wrongField('manufacturerId', `厂商“${manufacturer.name}”已禁用，请选择其他厂商`)
}
