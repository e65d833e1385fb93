import { and, desc, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { whereEquals } from '../../core/db/rows'
import { alarmIncident as table } from '../../tables/alarm'
import { whereVisible, type Scope } from './incidentScope'

const maxNoisiest = 10

/** Counts the incidents that were opened in a period, with the mean times until a person and the recovery. */
export async function readStatistics(
  db: Db,
  projectId: number | undefined,
  from: string,
  to: string,
  scope: Scope,
) {
  const where = and(
    whereVisible(scope),
    whereEquals(table.projectId, projectId),
    gte(table.openedTime, from),
    lt(table.openedTime, to),
  )
  const minutes = (column: typeof table.acknowledgedTime | typeof table.resolvedTime) =>
    sql<number | null>`(avg(extract(epoch from ${column} - ${table.openedTime})) / 60)::float8`
  const [figures] = await db
    .select({
      opened: sql<number>`count(*)::int`,
      resolved: sql<number>`(count(*) filter (where ${table.status} = 'resolved'))::int`,
      acknowledgeMinutes: minutes(table.acknowledgedTime),
      resolveMinutes: minutes(table.resolvedTime),
    })
    .from(table)
    .where(where)
  const noisiest = await db
    .select({
      ruleId: table.ruleId,
      ruleName: sql<string>`max(${table.ruleName})`,
      subjectName: sql<string>`max(${table.subjectName})`,
      count: sql<number>`sum(${table.count})::int`,
    })
    .from(table)
    .where(where)
    .groupBy(table.ruleId, table.subjectKey)
    .orderBy(desc(sql`sum(${table.count})`), table.ruleId, table.subjectKey)
    .limit(maxNoisiest)
  return { ...figures!, noisiest }
}
