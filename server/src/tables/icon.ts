import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const icon = pgTable(
  'icon',
  {
    ...rowColumns(),
    name: text().notNull().unique(),
    code: text().notNull().unique(),
    group: text().notNull(),
    on: text().notNull(),
    off: text().notNull(),
    offline: text().notNull(),
    fault: text().notNull(),
    tags: text().array().notNull(),
    status: text().$type<'enabled' | 'disabled'>().notNull(),
  },
  (table) => [index('icon_group').on(table.group, table.id)],
)
