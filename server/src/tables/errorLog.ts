import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** One row per kind of error; `fingerprint` is what its occurrences have in common. */
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
    /** It came back after somebody had called it done. */
    returned: boolean().notNull().default(false),
  },
  (table) => [index('error_log_last').on(table.lastTime)],
)
