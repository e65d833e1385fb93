import { Manufacturer, manufacturerApi, ManufacturerDraft } from '@iot/shared/contract/manufacturer'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { changedSince, found } from '../../core/refusal'
import { manyRows } from '../../core/serve/manyRows'
import { mustBeRegion, regionName } from '../../core/serve/region'
import { serve } from '../../core/serve/serve'
import { exported, imported } from '../../core/serve/transfer'
import { mustBeFree } from '../../core/serve/unique'
import { manufacturer as table } from '../../tables/manufacturer'
import { manufacturerQueries, named } from './queries'

const entity = '厂商'
const about = changeOf(entity, ManufacturerDraft, {
  areaCode: (code) => regionName(String(code)),
  status: (status) => statusText[status as Status],
})

export function manufacturerRoutes(app: FastifyInstance) {
  const queries = manufacturerQueries(app.db)
  app.uniques.add('manufacturer', table, Manufacturer, manufacturerApi.page)

  const create = (draft: ManufacturerDraft, context: Context) =>
    context.write(manufacturerQueries, async (rows, note, tx) => {
      mustBeRegion(draft.areaCode)
      await mustBeFree(tx, table, Manufacturer, draft)
      const row = await rows.insert(draft, context.user.username)
      note(about(row, { after: row }))
      return named(row)
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
    create,
    update: (change, context) =>
      context.write(manufacturerQueries, async (rows, note, tx) => {
        const before = found(await rows.get(change.id), entity)
        // A region that was abolished since may stay; a new choice must exist.
        if (change.areaCode !== before.areaCode) mustBeRegion(change.areaCode)
        await mustBeFree(tx, table, Manufacturer, change)
        const row = await rows.update(change, context.user.username)
        if (!row) throw changedSince(await rows.get(change.id))
        note(about(row, { before, after: row }))
        return named(row)
      }),
    exportRows: (filters, context) =>
      exported(context, entity, (slice) => queries.page({ ...filters, ...slice })),
    importRows: ({ rows }, context) =>
      imported(ManufacturerDraft, rows, (draft) => create(draft, context)),
  })
}
