import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

type FieldChange = {
  field: string
  title: string
  before: string
  after: string
  added?: string[]
  removed?: string[]
}

/** The audit log is append-only. */
export const actionLog = pgTable(
  'action_log',
  {
    id: id(),
    time: time().notNull(),
    username: text().notNull(),
    entity: text().notNull(),
    entityId: text().notNull(),
    entityName: text().notNull(),
    verb: text().notNull(),
    ok: boolean().notNull(),
    reason: text().notNull(),
    duration: integer().notNull(),
    address: text().notNull(),
    traceId: text().notNull(),
    /**
     * Names and titles of the fields in `changes`. The column exists for searching, because the database keeps
     * statistics on its values.
     */
    fields: text().array().notNull().default([]),
    changes: jsonb().$type<FieldChange[]>().notNull(),
    /**
     * True for one of many rows that a single call changed; it is listed under the entry of that call, which has the
     * same trace id.
     */
    part: boolean().notNull().default(false),
    /** Project of the changed row, if any; entries older than this column have none. */
    projectId: integer(),
  },
  (table) => [
    index('action_log_time').on(table.time, table.id),
    // The index includes the user name, so that a page deep in the list is reached without reading the rows.
    index('action_log_lines').on(table.part, table.time, table.id, table.username),
    index('action_log_users').on(table.username, table.part, table.time, table.id),
    index('action_log_entities').on(table.entity, table.part, table.time, table.id),
    index('action_log_results').on(table.ok, table.part, table.time, table.id),
    index('action_log_rows').on(table.entityId, table.time, table.id),
    index('action_log_fields').using('gin', table.fields),
    index('action_log_durations').on(table.part, table.duration, table.id),
    index('action_log_projects')
      .on(table.projectId, table.part, table.time, table.id)
      .where(sql`${table.projectId} is not null`),
    index('action_log_parts')
      .on(table.traceId)
      .where(sql`${table.part}`),
  ],
)
