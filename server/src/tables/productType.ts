import type { TypeAction } from '@iot/shared/contract/product/productType.schema'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const productType = pgTable(
  'product_type',
  {
    ...rowColumns(),
    name: text().notNull().unique(),
    /** The code by which products and scenes refer to it. */
    code: text().notNull().unique(),
    categories: text().array().notNull(),
    icon: text().notNull(),
    color: text().notNull(),
    actions: jsonb().$type<TypeAction[]>().notNull(),
    showOnHome: boolean().notNull(),
    description: text().notNull(),
    sort: integer().notNull(),
    status: text().$type<'enabled' | 'disabled'>().notNull(),
    builtin: boolean().notNull(),
  },
  (table) => [index('product_type_sort').on(table.sort, table.id)],
)
