import { manufacturerApi, ManufacturerDraft } from '@iot/shared/contract/manufacturer'
import { statusText, type Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import type { Change } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import type { Db } from '../../core/db/db'
import { changedSince, missing, wrongFields } from '../../core/serve/refusal'
import { perRow, type Named } from '../../core/serve/perRow'
import { mustBeRegion, regionName } from '../../core/serve/region'
import { serve } from '../../core/serve/serve'
import { exported, imported } from '../../core/serve/transfer'
import { manufacturerQueries } from './queries'

const entity = '厂商'
const show: Change['show'] = {
  areaCode: (code) => regionName(String(code)),
  status: (status) => statusText[status as Status],
}
const about = (row: Named, change: { before?: object; after?: object }): Change => ({
  entity,
  id: row.id,
  name: row.name,
  schema: ManufacturerDraft,
  show,
  ...change,
})

export function manufacturerRoutes(app: FastifyInstance) {
  const queries = manufacturerQueries(app.db)
  const create = (draft: ManufacturerDraft, context: Context) =>
    context.write(async (tx, note) => {
      mustBeRegion(draft.areaCode)
      await mustBeFree(tx, draft)
      const row = await manufacturerQueries(tx).insert(draft, context.user.username)
      note(about(row, { after: row }))
      return row
    })

  serve(app, manufacturerApi, {
    page: (query) => queries.page(query),
    list: () => queries.options(),
    async get({ id }) {
      const row = await queries.get(id)
      if (!row) throw missing(entity)
      return row
    },
    create,
    update: (change, context) =>
      context.write(async (tx, note) => {
        const queries = manufacturerQueries(tx)
        const before = await queries.get(change.id)
        if (!before) throw missing(entity)
        // A region that was abolished since may stay; a new choice must exist.
        if (change.areaCode !== before.areaCode) mustBeRegion(change.areaCode)
        await mustBeFree(tx, change, change.id)
        const row = await queries.update(change, context.user.username)
        if (!row) throw changedSince(await queries.get(change.id))
        note(about(row, { before, after: row }))
        return row
      }),
    remove: ({ id }, context) =>
      context.write(async (tx, note) => {
        const queries = manufacturerQueries(tx)
        const row = await queries.get(id)
        if (!row) throw missing(entity)
        await app.references.mustBeFree(tx, 'manufacturer', id, `厂商“${row.name}”`)
        await queries.remove([id])
        note(about(row, { before: row }))
        return null
      }),
    taken: async ({ name, code, exceptId }) => ({
      name: await queries.taken('name', name?.trim(), exceptId),
      code: await queries.taken('code', code),
    }),
    exportRows: (filters, context) =>
      exported(context, entity, (slice) => queries.page({ ...filters, ...slice })),
    importRows: ({ rows }, context) =>
      imported(ManufacturerDraft, rows, (draft) => create(draft, context)),
    setStatus: ({ ids, status }, context) =>
      context.write(async (tx, note) => {
        const queries = manufacturerQueries(tx)
        const rows = await queries.many(ids)
        const differ = rows.filter((row) => row.status !== status)
        if (differ.length)
          await queries.setStatus(
            differ.map((row) => row.id),
            status,
            context.user.username,
          )
        differ.forEach((row) => note(about(row, { before: row, after: { ...row, status } })))
        return perRow(ids, rows, () => undefined)
      }),
    removeMany: ({ ids }, context) =>
      context.write(async (tx, note) => {
        const queries = manufacturerQueries(tx)
        const rows = await queries.many(ids)
        const used = await app.references.find(tx, 'manufacturer', ids)
        const free = rows.filter((row) => !used.has(row.id))
        if (free.length) await queries.remove(free.map((row) => row.id))
        free.forEach((row) => note(about(row, { before: row })))
        return perRow(
          ids,
          rows,
          (row) => used.has(row.id) && `正被 ${used.get(row.id)!.length} 处使用，不能删除`,
        )
      }),
  })
}

async function mustBeFree(
  tx: Db,
  { name, code }: { name: string; code?: string },
  exceptId?: string,
) {
  const queries = manufacturerQueries(tx)
  const wrong: Record<string, string> = {}
  if (await queries.taken('name', name, exceptId)) wrong.name = `厂商名称“${name}”已存在`
  if (code && (await queries.taken('code', code))) wrong.code = `厂商编码“${code}”已存在`
  if (Object.keys(wrong).length) throw wrongFields(wrong)
}
