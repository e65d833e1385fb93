import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'

/** Tables that the platform writes in the background, or to record the call itself. */
const backgroundTables = [
  'action_log',
  'login_log',
  'error_log',
  'session',
  'login_failure',
  'known_device',
  'connection_refusal',
  'job',
  'lease',
  'task',
  'device_message',
  'notification_delivery',
  'notification_outbox',
  'notification_escalation',
  'notification_target',
  'alarm_state',
  'alarm_rule_log',
  'alarm_incident',
  'incident_device',
  'incident_event',
]

/**
 * Creates a function of the database that returns one line per table, with its row count and the last transaction that
 * wrote to it. Planning this query takes far longer than running it, and a function keeps its plan per connection.
 */
export async function createTableStateReader(db: Db) {
  // A partitioned table shows the rows of its partitions.
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const countQueries = tables
    .filter(({ name }) => !backgroundTables.includes(name))
    .map(
      ({ name }) =>
        `select '${name} ' || count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from "${name}"`,
    )
  await db.execute(
    sql.raw(`create function read_table_states() returns setof text language plpgsql
      as $$ begin return query ${countQueries.join(' union all ')}; end $$`),
  )
  return async () => {
    const { rows } = await db.execute<{ line: string }>(sql`select read_table_states() as line`)
    return rows.map(({ line }) => line)
  }
}

/** Returns the tables that have changed. */
export const findChangedTables = (before: string[], after: string[]) =>
  after.filter((line) => !before.includes(line))
