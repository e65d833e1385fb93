import type { controlTypeSchemas } from '@iot/shared/contract/product/controlType.schema'
import { and, arrayContains, asc, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { controlType as table } from '../../tables/controlType'
import { product } from '../../tables/device'

type PageInput = z.output<typeof controlTypeSchemas.page.input>

export const controlTypeQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    page: ({ name, capability, status, ...page }: PageInput) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          whereEquals(table.capability, capability),
          whereEquals(table.status, status),
        ),
        page,
      ),
    listOptions: () => db.select().from(table).orderBy(asc(table.name)),
    listProductsUsing: (ids: string[]) =>
      db
        .select({ to: table.id, entity: sql<string>`'产品'`, id: product.id, name: product.name })
        .from(table)
        .innerJoin(product, arrayContains(product.controlTypes, sql`array[${table.code}]`))
        .where(inArray(table.id, ids))
        .orderBy(product.id),
  }
}
