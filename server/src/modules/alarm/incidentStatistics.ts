import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { whereEquals } from '../../core/db/rows'
import { alarmIncident as table } from '../../tables/alarm'
import { project } from '../../tables/project'
import { whereVisible, type Scope } from './incidentScope'

const maxNoisiest = 10

/** A rule or a device may have been renamed in the period. */
const readNewest = (name: typeof table.ruleName | typeof table.subjectName) =>
  sql<string>`(array_agg(${name} order by ${table.openedTime} desc))[1]`

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
      subjectKey: table.subjectKey,
      projectId: table.projectId,
      projectName: sql<string>`case when ${table.projectId} = 0 then '平台' else coalesce(max(${project.name}), '') end`,
      ruleName: readNewest(table.ruleName),
      subjectName: readNewest(table.subjectName),
      count: sql<number>`sum(${table.count})::int`,
    })
    .from(table)
    .leftJoin(project, eq(project.projectId, table.projectId))
    .where(where)
    // A check of the platform has the same subject in every project.
    .groupBy(table.ruleId, table.subjectKey, table.projectId)
    .orderBy(desc(sql`sum(${table.count})`), table.ruleId, table.subjectKey, table.projectId)
    .limit(maxNoisiest)
  return { ...figures!, noisiest }
}
