import type { manufacturerSchemas } from '@iot/shared/contract/product/manufacturer.schema'
import { and, asc, like, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { formatRegion } from '../region/policy'
import { versionedQueries } from '../../core/db/versionedQueries'
import { manufacturer as table } from '../../tables/manufacturer'

type PageInput = z.output<typeof manufacturerSchemas.page.input>

export const withRegionName = (row: typeof table.$inferSelect) => ({
  ...row,
  areaName: formatRegion(row.areaCode),
})

export const manufacturerQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    async page({ name, code, areaCode, status, ...page }: PageInput) {
      const { list, ...count } = await rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.shortName, name)) : undefined,
          contains(table.code, code),
          // A province or city code also matches the regions below it.
          areaCode && /^\d+$/.test(areaCode) ? like(table.areaCode, `${areaCode}%`) : undefined,
          whereEquals(table.status, status),
        ),
        page,
      )
      return { list: list.map(withRegionName), ...count }
    },
    listOptions: () =>
      db
        .select({ id: table.id, name: table.name, status: table.status })
        .from(table)
        .orderBy(asc(table.name)),
  }
}
