import { integer, pgTable, text } from 'drizzle-orm/pg-core'

export const project = pgTable('project', {
  /** `projectId` everywhere else: an integer, as the specification has it. */
  id: integer().primaryKey(),
  /** The group of the map-engineering tree. */
  groupName: text().notNull(),
  name: text().notNull(),
  engineeringId: integer().notNull(),
  sort: integer().notNull(),
})
