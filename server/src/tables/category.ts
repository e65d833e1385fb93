import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const productCategory = pgTable(
  'product_category',
  {
    ...rowColumns(),
    parentId: uuid(),
    name: text().notNull(),
    code: text().notNull().unique(),
    icon: text().notNull(),
    description: text().notNull(),
    sort: integer().notNull(),
    /** The thing model here is the draft; `categoryVersion` holds the published versions. */
    model: jsonb().$type<ThingModel>().notNull(),
    modelVersion: integer().notNull(),
  },
  (table) => [
    unique('product_category_name').on(table.parentId, table.name),
    index('product_category_sort').on(table.sort, table.id),
  ],
)

/** Published versions are added here and never changed. */
export const categoryVersion = pgTable(
  'category_version',
  {
    ...rowColumns(),
    categoryId: uuid()
      .notNull()
      .references(() => productCategory.id),
    number: integer().notNull(),
    model: jsonb().$type<ThingModel>().notNull(),
    note: text().notNull(),
  },
  (table) => [unique('category_version_number').on(table.categoryId, table.number)],
)
