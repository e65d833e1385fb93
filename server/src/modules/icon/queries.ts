import type { iconSchemas } from '@iot/shared/contract/product/icon.schema'
import { and, arrayContains, asc, inArray, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { icon as table } from '../../tables/icon'
import { uploadedFile } from '../../tables/upload'

type PageInput = z.output<typeof iconSchemas.page.input>

export const iconQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    page: ({ name, group, tag, status, ...page }: PageInput) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          whereEquals(table.group, group),
          tag ? arrayContains(table.tags, [tag]) : undefined,
          whereEquals(table.status, status),
        ),
        page,
      ),
    listOptions: () => db.select().from(table).orderBy(asc(table.group), asc(table.name)),
    findUploads: (ids: string[]) =>
      db
        .select({ id: uploadedFile.id, type: uploadedFile.type, size: uploadedFile.size })
        .from(uploadedFile)
        .where(inArray(uploadedFile.id, ids)),
  }
}
