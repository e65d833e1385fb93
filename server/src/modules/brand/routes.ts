import { Brand, brandApi, BrandDraft } from '@iot/shared/contract/brand'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { mustBeStandard } from '../category/policy'
import { brand as table } from '../../tables/brand'
import { brandQueries } from './queries'

const show = { status: (status: unknown) => statusText[status as Status] }
const about = changeOf('品牌', BrandDraft, show)

export function brandRoutes(app: FastifyInstance) {
  const queries = brandQueries(app.db)
  app.uniques.add('brand', table, Brand, brandApi.page)
  app.references.add('manufacturer', (db, ids) => brandQueries(db).ofManufacturers(ids))

  serve(app, brandApi, {
    ...manyRows(app, { name: 'brand', title: '品牌', queriesOf: brandQueries, about }),
    ...savedRow(brandApi, {
      title: '品牌',
      table,
      queriesOf: brandQueries,
      about,
      async check({ manufacturerId, categories }, rows, before) {
        mustBeStandard(categories)
        if (manufacturerId !== before?.manufacturerId)
          mustBeChoosable(await rows.manufacturer(manufacturerId))
      },
      answer: async (row, rows) => (await rows.named([row]))[0]!,
    }),
    page: (query) => queries.page(query),
  })
}

function mustBeChoosable(manufacturer: { name: string; status: Status } | undefined) {
  if (!manufacturer) throw wrongField('manufacturerId', '所选厂商不存在或已被删除')
  if (manufacturer.status === 'disabled')
    throw wrongField('manufacturerId', `厂商“${manufacturer.name}”已禁用，请选择其他厂商`)
}
