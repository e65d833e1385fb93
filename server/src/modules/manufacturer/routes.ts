import { Manufacturer, manufacturerApi, ManufacturerDraft } from '@iot/shared/contract/manufacturer'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../core/serve/actionLog'
import type { Writing } from '../../core/serve/context'
import { changedSince, found } from '../../core/refusal'
import { manyRows } from '../../core/serve/manyRows'
import { mustBeRegion, regionName } from '../../core/serve/region'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
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

  const create =
    (draft: ManufacturerDraft, by: string): Writing<typeof manufacturerQueries, Manufacturer> =>
    async (rows, note, tx) => {
      mustBeRegion(draft.areaCode)
      await mustBeFree(tx, table, Manufacturer, draft)
      const row = await rows.insert(draft, by)
      note(about(row, { after: row }))
      return named(row)
    }

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
    create: (draft, context) =>
      context.write(manufacturerQueries, create(draft, context.user.username)),
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
    exportRows: exporter(app, manufacturerApi.exportRows, { entity, sheet, page: queries.page }),
    importRows: importer(app, manufacturerApi.importRows, {
      entity,
      schema: ManufacturerDraft,
      sheet,
      rest: { logo: '' },
      queriesOf: manufacturerQueries,
      create,
    }),
  })
}
