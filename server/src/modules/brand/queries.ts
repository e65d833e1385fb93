import type { brandApi } from '@iot/shared/contract/brand'
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { brand as table } from '../../tables/brand'
import { manufacturer } from '../../tables/manufacturer'

type Page = z.output<typeof brandApi.page.input>

export const brandQueries = (db: Db) => {
  const rows = versioned(db, table)
  return {
    ...rows,
    async page({ name, manufacturerId, status, ...page }: Page) {
      const byName = name
        ? or(contains(table.name, name), contains(table.englishName, name))
        : undefined
      const where = and(
        byName,
        equals(table.manufacturerId, manufacturerId),
        equals(table.status, status),
      )
      const { list, ...count } = await rows.list(where, page, 'sort')
      return { list: await this.named(list), ...count }
    },
    /** Adds the names of the manufacturers. */
    async named(list: (typeof table.$inferSelect)[]) {
      const ids = [...new Set(list.map((row) => row.manufacturerId))]
      const found = await db.select().from(manufacturer).where(inArray(manufacturer.id, ids))
      const names = new Map(found.map((row) => [row.id, row.name]))
      return list.map((row) => ({ ...row, manufacturerName: names.get(row.manufacturerId) ?? '' }))
    },
    manufacturer: async (id: string) =>
      (await db.select().from(manufacturer).where(eq(manufacturer.id, id)))[0],
    manufacturerNamed: async (name: string) =>
      (await db.select().from(manufacturer).where(eq(manufacturer.name, name)))[0],
    ofManufacturers: (ids: string[]) =>
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
