import type { controlTypeApi } from '@iot/shared/contract/controlType'
import { and, arrayContains, asc, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { controlType as table } from '../../tables/controlType'
import { product } from '../../tables/device'

type Page = z.output<typeof controlTypeApi.page.input>

export const controlTypeQueries = (db: Db) => {
  const rows = versioned(db, table)
  return {
    ...rows,
    page: ({ name, capability, status, ...page }: Page) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          equals(table.capability, capability),
          equals(table.status, status),
        ),
        page,
      ),
    options: () => db.select().from(table).orderBy(asc(table.name)),
    products: (ids: string[]) =>
      db
        .select({ to: table.id, entity: sql<string>`'产品'`, id: product.id, name: product.name })
        .from(table)
        .innerJoin(product, arrayContains(product.controlTypes, sql`array[${table.code}]`))
        .where(inArray(table.id, ids))
        .orderBy(product.id),
  }
}
