import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** One row per kind of error; `fingerprint` identifies the occurrences that belong together. */
export const errorLog = pgTable(
  'error_log',
  {
    id: id(),
    fingerprint: text().notNull().unique(),
    source: text().$type<'browser' | 'server' | 'device' | 'broker'>().notNull(),
    message: text().notNull(),
    stack: text().notNull(),
    page: text().notNull(),
    build: text().notNull(),
    traceId: text().notNull(),
    count: integer().notNull(),
    firstTime: time().notNull(),
    lastTime: time().notNull(),
    status: text().$type<'open' | 'done' | 'ignored'>().notNull(),
    /** True if the error occurred again after it was marked as done. */
    returned: boolean().notNull().default(false),
  },
  (table) => [index('error_log_last').on(table.lastTime)],
)
