import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { now, time } from './columns'

/** One row once the example site was added; it stays after clearing, so that no later start adds the site again. */
export const exampleSite = pgTable('example_site', {
  id: integer().primaryKey(),
  createTime: time().notNull().$defaultFn(now),
  clearedBy: text().notNull().default(''),
  clearedTime: time(),
})

/** Rows of other tables that belong to the example site. */
export const exampleRow = pgTable(
  'example_row',
  {
    /** A key of `exampleKinds`. */
    kind: text().notNull(),
    rowId: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.rowId] })],
)
