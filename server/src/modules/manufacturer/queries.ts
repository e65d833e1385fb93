import type { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { and, asc, like, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { regionName } from '../../core/serve/region'
import { versioned } from '../../core/db/versioned'
import { manufacturer as table } from '../../tables/manufacturer'

type Page = z.output<typeof manufacturerApi.page.input>

/** Adds the name of the region. */
export const named = (row: typeof table.$inferSelect) => ({
  ...row,
  areaName: regionName(row.areaCode),
})

export const manufacturerQueries = (db: Db) => {
  const rows = versioned(db, table)
  return {
    ...rows,
    async page({ name, code, areaCode, status, ...page }: Page) {
      const { list, ...count } = await rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.shortName, name)) : undefined,
          contains(table.code, code),
          // A province or city code also matches the regions below it.
          areaCode && /^\d+$/.test(areaCode) ? like(table.areaCode, `${areaCode}%`) : undefined,
          equals(table.status, status),
        ),
        page,
      )
      return { list: list.map(named), ...count }
    },
    options: () =>
      db
        .select({ id: table.id, name: table.name, status: table.status })
        .from(table)
        .orderBy(asc(table.name)),
  }
}
