import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const manufacturer = pgTable(
  'manufacturer',
  {
    ...rowColumns(),
    name: text().notNull().unique(),
    shortName: text().notNull(),
    code: text().notNull().unique(),
    creditCode: text().notNull(),
    contact: text().notNull(),
    phone: text().notNull(),
    email: text().notNull(),
    areaCode: text().notNull(),
    address: text().notNull(),
    website: text().notNull(),
    logo: text().notNull(),
    remark: text().notNull(),
    status: text().$type<'enabled' | 'disabled'>().notNull(),
  },
  (table) => [
    index('manufacturer_time').on(table.createTime, table.id),
    index('manufacturer_area').on(table.areaCode),
  ],
)
