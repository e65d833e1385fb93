import type { iconApi } from '@iot/shared/contract/icon'
import { and, arrayContains, asc, inArray, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { icon as table } from '../../tables/icon'
import { uploadedFile } from '../../tables/upload'

type Page = z.output<typeof iconApi.page.input>

export const iconQueries = (db: Db) => {
  const rows = versioned(db, table)
  return {
    ...rows,
    page: ({ name, group, tag, status, ...page }: Page) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          equals(table.group, group),
          tag ? arrayContains(table.tags, [tag]) : undefined,
          equals(table.status, status),
        ),
        page,
      ),
    options: () => db.select().from(table).orderBy(asc(table.group), asc(table.name)),
    uploads: (ids: string[]) =>
      db
        .select({ id: uploadedFile.id, type: uploadedFile.type, size: uploadedFile.size })
        .from(uploadedFile)
        .where(inArray(uploadedFile.id, ids)),
  }
}
