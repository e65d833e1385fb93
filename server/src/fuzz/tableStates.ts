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

/** Returns one line per table with its row count and the last transaction that wrote to it. */
export async function readTableStates(db: Db) {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const countQueries = tables
    .filter(({ name }) => !backgroundTables.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*)::int as n, max(xmin::text::bigint)::text as last from "${name}"`,
    )
  const { rows } = await db.execute(sql.raw(countQueries.join(' union all ')))
  return rows.map((row) => JSON.stringify(row))
}

/** Returns the tables that have changed. */
export const findChangedTables = (before: string[], after: string[]) =>
  after.filter((line) => !before.includes(line))
