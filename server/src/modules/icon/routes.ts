import { responseCodes } from '@iot/shared/contract/endpoint'
import { statusText } from '@iot/shared/contract/fields'
import { Id, type Status } from '@iot/shared/contract/fields.schema'
import { Icon, IconDraft, iconSchemas } from '@iot/shared/contract/product/icon.schema'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import {
  iconLimits,
  iconPath,
  iconVariants,
  type IconVariant,
} from '@iot/shared/contract/product/iconName'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import type { FastifyInstance } from 'fastify'
import { Refusal, createFieldsRefusal } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { getIds } from '../../core/http/applyPerRow'
import { getBasePath } from '../../core/http/publicAddress'
import { createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { icon as table } from '../../tables/icon'
import { iconQueries } from './queries'
import { sheet } from './sheet'

const title = '图标'
const toAuditEntry = createChangeDescriber(title, IconDraft, {
  status: (status) => statusText[status as Status],
  // The audit log shows file names, because an address says little to its reader.
  ...Object.fromEntries(iconVariants.map((variant) => [variant, toUploadId])),
})

export function iconRoutes(app: FastifyInstance) {
  const queries = iconQueries(app.db)
  app.uniques.add('icon', table, Icon, iconApi.page)

  async function page(query: Parameters<typeof queries.page>[0]) {
    const { list, ...count } = await queries.page(query)
    const usageCounts = await app.references.counts(app.db, 'icon', getIds(list))
    return {
      list: list.map((row) => ({ ...row, usedCount: usageCounts.get(row.id) ?? 0 })),
      ...count,
    }
  }

  serve(app, iconApi, iconSchemas, {
    ...createBulkHandlers(app, {
      name: 'icon',
      title,
      createQueries: iconQueries,
      about: toAuditEntry,
    }),
    ...createUpdateHandlers(iconSchemas, {
      title,
      table,
      createQueries: iconQueries,
      about: toAuditEntry,
      check: assertPicturesUsable,
      answer: async (row, _, tx) => ({
        ...row,
        usedCount: (await app.references.counts(tx, 'icon', [row.id])).get(row.id) ?? 0,
      }),
    }),
    page,
    list: () => queries.listOptions(),
    exportRows: createExportHandler(app, iconApi.exportRows, { entity: title, sheet, page }),
  })

  // The route does not use `serve`, because an `<img>` element reads it. It is public like the picture it redirects to.
  app.get<{ Params: { id: string; variant: string } }>(
    iconPath(':id', ':variant' as IconVariant),
    async ({ params: { id, variant } }, reply) => {
      const isVariant = (iconVariants as readonly string[]).includes(variant)
      const row = Id.safeParse(id).success && isVariant ? await queries.get(id) : undefined
      if (!row) throw new Refusal(responseCodes.missing, '图标不存在', null, 404)
      return reply
        .header('cache-control', 'no-cache')
        .redirect(getBasePath(app.settings.publicUrl) + (row[variant as IconVariant] || row.on))
    },
  )
}

type Pictures = Record<IconVariant, string>

/** The upload accepts larger files and more types than an icon may use. */
async function assertPicturesUsable(draft: Pictures, rows: ReturnType<typeof iconQueries>) {
  const files = await rows.findUploads(iconVariants.map((variant) => toUploadId(draft[variant])))
  const filesById = new Map(files.map((file) => [file.id, file]))
  const errorEntries = iconVariants.flatMap((variant) => {
    if (!draft[variant]) return []
    const file = filesById.get(toUploadId(draft[variant]))
    if (!file) return [[variant, '图片不存在，请重新上传']]
    if (!iconLimits.types.includes(file.type)) return [[variant, '图标只能是 SVG、PNG 或 WebP']]
    return file.size > iconLimits.bytes
      ? [[variant, `图标不能超过 ${iconLimits.bytes / 1024} KB`]]
      : []
  })
  if (errorEntries.length > 0) throw createFieldsRefusal(Object.fromEntries(errorEntries))
}

function toUploadId(url: unknown) {
  return String(url).slice(uploadPath.length + 1)
}
