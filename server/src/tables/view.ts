import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const view = pgTable('view', {
  ...rowColumns(),
  parentId: uuid(),
  name: text().notNull(),
  path: text().notNull().unique(),
  icon: text().notNull(),
  roleIds: uuid().array().notNull(),
  projectIds: integer().array().notNull(),
  visible: boolean().notNull(),
  isDefault: boolean().notNull(),
  sort: integer().notNull(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
  /** Cards for all projects together; a card of a single project names it. */
  cards: jsonb().$type<ViewCard[]>().notNull().default([]),
})
