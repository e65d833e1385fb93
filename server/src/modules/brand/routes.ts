import { Brand, brandApi, BrandDraft } from '@iot/shared/contract/brand'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { changedSince, found, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
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
    page: (query) => queries.page(query),
    create: (draft, context) =>
      context.write(brandQueries, async (rows, note, tx) => {
        await mustBeChoosable(await rows.manufacturer(draft.manufacturerId))
        await mustBeFree(tx, table, Brand, draft)
        const [row] = await rows.named([await rows.insert(draft, context.user.username)])
        note(about(row!, { after: row }))
        return row!
      }),
    update: (change, context) =>
      context.write(brandQueries, async (rows, note, tx) => {
        const [before] = await rows.named([found(await rows.get(change.id), '品牌')])
        if (change.manufacturerId !== before!.manufacturerId)
          mustBeChoosable(await rows.manufacturer(change.manufacturerId))
        await mustBeFree(tx, table, Brand, change)
        const after = await rows.update(change, context.user.username)
        const [row] = await rows.named([after ?? found(await rows.get(change.id), '品牌')])
        if (!after) throw changedSince(row)
        note(about(row!, { before, after: row }))
        return row!
      }),
  })
}

function mustBeChoosable(manufacturer: { name: string; status: Status } | undefined) {
  if (!manufacturer) throw wrongField('manufacturerId', '所选厂商不存在或已被删除')
  if (manufacturer.status === 'disabled')
    throw wrongField('manufacturerId', `厂商“${manufacturer.name}”已禁用，请选择其他厂商`)
}
