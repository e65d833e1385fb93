import { codes } from '@iot/shared/contract/endpoint'
import { Id, statusText, type Status } from '@iot/shared/contract/fields'
import { Icon, iconApi, IconDraft } from '@iot/shared/contract/icon'
import { iconLimits, iconPath, iconVariants, type IconVariant } from '@iot/shared/contract/iconName'
import { uploadPath } from '@iot/shared/contract/upload'
import type { FastifyInstance } from 'fastify'
import { Refusal, wrongFields } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { idsOf } from '../../core/serve/perRow'
import { savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { icon as table } from '../../tables/icon'
import { iconQueries } from './queries'
import { sheet } from './sheet'

const title = '图标'
const about = changeOf(title, IconDraft, {
  status: (status) => statusText[status as Status],
  // The audit log shows file names, because an address says little to its reader.
  ...Object.fromEntries(iconVariants.map((variant) => [variant, fileOf])),
})

export function iconRoutes(app: FastifyInstance) {
  const queries = iconQueries(app.db)
  app.uniques.add('icon', table, Icon, iconApi.page)

  async function page(query: Parameters<typeof queries.page>[0]) {
    const { list, ...count } = await queries.page(query)
    const used = await app.references.counts(app.db, 'icon', idsOf(list))
    return { list: list.map((row) => ({ ...row, usedCount: used.get(row.id) ?? 0 })), ...count }
  }

  serve(app, iconApi, {
    ...manyRows(app, { name: 'icon', title, queriesOf: iconQueries, about }),
    ...savedRow(iconApi, {
      title,
      table,
      queriesOf: iconQueries,
      about,
      check: mustBePictures,
      answer: async (row, _, tx) => ({
        ...row,
        usedCount: (await app.references.counts(tx, 'icon', [row.id])).get(row.id) ?? 0,
      }),
    }),
    page,
    list: () => queries.options(),
    exportRows: exporter(app, iconApi.exportRows, { entity: title, sheet, page }),
  })

  // The route does not use `serve`, because an `<img>` element reads it. It is public like the picture it redirects to.
  app.get<{ Params: { id: string; variant: string } }>(
    iconPath(':id', ':variant' as IconVariant),
    async ({ params: { id, variant } }, reply) => {
      const isVariant = (iconVariants as readonly string[]).includes(variant)
      const row = Id.safeParse(id).success && isVariant ? await queries.get(id) : undefined
      if (!row) throw new Refusal(codes.missing, '图标不存在', null, 404)
      return reply
        .header('cache-control', 'no-cache')
        .redirect(row[variant as IconVariant] || row.on)
    },
  )
}

type Pictures = Record<IconVariant, string>

/** The upload accepts larger files and more types than an icon may use. */
async function mustBePictures(draft: Pictures, rows: ReturnType<typeof iconQueries>) {
  const files = await rows.uploads(iconVariants.map((variant) => fileOf(draft[variant])))
  const known = new Map(files.map((file) => [file.id, file]))
  const wrong = iconVariants.flatMap((variant) => {
    if (!draft[variant]) return []
    const file = known.get(fileOf(draft[variant]))
    if (!file) return [[variant, '图片不存在，请重新上传']]
    if (!iconLimits.types.includes(file.type)) return [[variant, '图标只能是 SVG、PNG 或 WebP']]
    return file.size > iconLimits.bytes
      ? [[variant, `图标不能超过 ${iconLimits.bytes / 1024} KB`]]
      : []
  })
  if (wrong.length > 0) throw wrongFields(Object.fromEntries(wrong))
}

function fileOf(url: unknown) {
  return String(url).slice(uploadPath.length + 1)
}
