import type { brandSchemas } from '@iot/shared/contract/product/brand.schema'
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { brand as table } from '../../tables/brand'
import { manufacturer } from '../../tables/manufacturer'

type PageInput = z.output<typeof brandSchemas.page.input>

export const brandQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    async page({ name, manufacturerId, status, ...page }: PageInput) {
      const nameFilter = name
        ? or(contains(table.name, name), contains(table.englishName, name))
        : undefined
      const where = and(
        nameFilter,
        whereEquals(table.manufacturerId, manufacturerId),
        whereEquals(table.status, status),
      )
      const { list, ...count } = await rows.list(where, page, 'sort')
      return { list: await this.withManufacturerNames(list), ...count }
    },
    async withManufacturerNames(list: (typeof table.$inferSelect)[]) {
      const ids = [...new Set(list.map((row) => row.manufacturerId))]
      const manufacturerRows = await db
        .select()
        .from(manufacturer)
        .where(inArray(manufacturer.id, ids))
      const nameById = new Map(manufacturerRows.map((row) => [row.id, row.name]))
      return list.map((row) => ({
        ...row,
        manufacturerName: nameById.get(row.manufacturerId) ?? '',
      }))
    },
    findManufacturer: async (id: string) =>
      (await db.select().from(manufacturer).where(eq(manufacturer.id, id)))[0],
    findManufacturerByName: async (name: string) =>
      (await db.select().from(manufacturer).where(eq(manufacturer.name, name)))[0],
    listBrandsByManufacturer: (ids: string[]) =>
      db
        .select({
          to: table.manufacturerId,
          id: table.id,
          name: table.name,
          entity: sql<string>`'品牌'`,
        })
        .from(table)
        .where(inArray(table.manufacturerId, ids))
        .orderBy(table.id),
  }
}
