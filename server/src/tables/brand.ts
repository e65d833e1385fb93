import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'
import { manufacturer } from './manufacturer'

export const brand = pgTable(
  'brand',
  {
    ...rowColumns(),
    name: text().notNull(),
    englishName: text().notNull(),
    manufacturerId: uuid()
      .notNull()
      .references(() => manufacturer.id),
    categories: text().array().notNull(),
    logo: text().notNull(),
    servicePhone: text().notNull(),
    website: text().notNull(),
    sort: integer().notNull(),
    status: text().$type<'enabled' | 'disabled'>().notNull(),
  },
  (table) => [
    unique('brand_name').on(table.manufacturerId, table.name),
    index('brand_sort').on(table.sort, table.id),
  ],
)
