import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const menu = pgTable('menu', {
  ...rowColumns(),
  parentId: uuid(),
  type: text().$type<'folder' | 'page' | 'button'>().notNull(),
  name: text().notNull(),
  path: text().notNull(),
  routeName: text().notNull(),
  icon: text().notNull(),
  permission: text().notNull(),
  visible: boolean().notNull(),
  sort: integer().notNull(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
  builtin: boolean().notNull(),
})
