import { sql } from 'drizzle-orm'
import { alarmIncident as table } from '../../tables/alarm'

export const severityOrder = sql`case ${table.severity} when 'critical' then 0 when 'major' then 1 when 'minor' then 2 else 3 end`
/** The default order is the severe first and then the oldest, so that rows keep their places. */
export const usualOrder = [
  sql`case ${table.status} when 'resolved' then 1 else 0 end`,
  severityOrder,
  table.openedTime,
  table.id,
]
