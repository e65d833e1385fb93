import type { AreaName, failureKindText } from '@iot/shared/contract/releaseCenter'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** One row per open page, written over by its next heartbeat. */
export const releaseUse = pgTable(
  'release_use',
  {
    /** Session and page. */
    key: text().primaryKey(),
    sessionId: text().notNull(),
    builds: jsonb().$type<Partial<Record<AreaName, string>>>().notNull(),
    time: time().notNull(),
  },
  (table) => [index('release_use_time').on(table.time)],
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
