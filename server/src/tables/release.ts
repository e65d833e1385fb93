import type { AppName } from '@iot/shared/contract/release/release.schema'
import type { failureKindText } from '@iot/shared/contract/release/releaseCenter'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** A build that the pages of a session use: the last time, and how often it failed there. */
export const releaseSession = pgTable(
  'release_session',
  {
    sessionId: text().notNull(),
    name: text().$type<AppName>().notNull(),
    build: text().notNull(),
    time: time().notNull(),
    /** This many screens failed while rendering. */
    crashes: integer().notNull().default(0),
    /** This many violations of the content security policy were reported. */
    violations: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.name, table.build] }),
    index('release_session_time').on(table.time),
  ],
)

/** One row per load of a remote; `kind` is null for a successful load. */
export const releaseLoad = pgTable(
  'release_load',
  {
    id: id(),
    time: time().notNull(),
    name: text().$type<AppName>().notNull(),
    build: text().notNull(),
    ms: integer().notNull(),
    kind: text().$type<keyof typeof failureKindText>(),
    detail: text().notNull(),
    trace: text().notNull(),
  },
  (table) => [index('release_load_time').on(table.time)],
)
