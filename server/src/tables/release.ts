import type { AreaName } from '@iot/shared/contract/release'
import type { failureKindText } from '@iot/shared/contract/releaseCenter'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** A build that a session's pages use: when last, and how often it went wrong there. */
export const releaseSession = pgTable(
  'release_session',
  {
    sessionId: text().notNull(),
    name: text().$type<AreaName>().notNull(),
    build: text().notNull(),
    time: time().notNull(),
    /** Screens that failed while they were drawn. */
    crashes: integer().notNull().default(0),
    /** What the page's policy forbade. */
    violations: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.name, table.build] }),
    index('release_session_time').on(table.time),
  ],
)

/** One row per load of a remote; `kind` is null when it went well. */
export const releaseLoad = pgTable(
  'release_load',
  {
    id: id(),
    time: time().notNull(),
    name: text().$type<AreaName>().notNull(),
    build: text().notNull(),
    ms: integer().notNull(),
    kind: text().$type<keyof typeof failureKindText>(),
    detail: text().notNull(),
    trace: text().notNull(),
  },
  (table) => [index('release_load_time').on(table.time)],
)
