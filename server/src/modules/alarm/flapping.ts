import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../core/db/db'

/** Leaving the flapping state takes at least this long without a change. */
export const flappingQuietMinutes = 10
/** An incident that recurs this often within an hour is flapping. */
const flappingCount = 5

/** Recurrences of incident `i` count towards flapping for an hour; an event of rule `r` happens and does not recur. */
const countsAsFlapping = sql.raw(
  `r.source ->> 'kind' <> 'event' and i.opened_time > now() - interval '1 hour'`,
)
const reachesFlapping = (occurrences: SQL) => sql`${occurrences} >= ${flappingCount}`

type Subject = { projectId: number; ruleId: string; subjectKey: string }

/** Returns the last incident of this rule and subject, and whether one more makes them flap. */
export async function readPrevious(tx: Db, { projectId, ruleId, subjectKey }: Subject) {
  const { rows } = await tx.execute<{ id: string; isFlapping: boolean }>(sql`
    select i.id, ${reachesFlapping(sql`1 + count(*) filter (where ${countsAsFlapping}) over ()`)} as "isFlapping"
    from alarm_incident i join alarm_rule r on r.id = i.rule_id
    where i.project_id = ${projectId} and i.rule_id = ${ruleId}::uuid and i.subject_key = ${subjectKey}
      and i.status = 'resolved'
    order by i.opened_time desc limit 1`)
  const [previous] = rows
  return { previousId: previous?.id ?? null, isFlapping: previous?.isFlapping ?? false }
}

/**
 * Counts recurrences into their incidents and returns those that have begun to flap. The rows are locked before they are
 * read, because two processes hold the jobs for a moment when one takes over.
 */
export async function countRepeats(tx: Db) {
  const { rows } = await tx.execute<{ id: string; projectId: number }>(sql`
    with repeated as (
      select project_id, rule_id, subject_key, incident_id, repeats from alarm_state
      where incident_id is not null and repeats > 0
      order by project_id, rule_id, subject_key for update),
    summed as (
      select i.project_id, i.id as incident_id, i.is_flapping as was_flapping, max(s.repeats) as n
      from repeated s join alarm_incident i on i.project_id = s.project_id and i.id = s.incident_id
      group by i.project_id, i.id),
    counted as (
      update alarm_incident i set count = i.count + s.n, last_time = now(),
        is_flapping = i.is_flapping or (${countsAsFlapping} and ${reachesFlapping(sql`i.count + s.n`)})
      from summed s, alarm_rule r
      where i.project_id = s.project_id and i.id = s.incident_id and r.id = i.rule_id
      returning i.id, i.project_id, i.is_flapping, s.was_flapping),
    cleared as (
      update alarm_state s set repeats = s.repeats - repeated.repeats from repeated
      where s.project_id = repeated.project_id and s.rule_id = repeated.rule_id
        and s.subject_key = repeated.subject_key)
    select id, project_id as "projectId" from counted
    where is_flapping and not was_flapping`)
  return rows
}

/** Ends the flapping of incidents whose conditions have all held on without a change; they recover as usual then. */
export async function endFlapping(tx: Db) {
  const { rows } = await tx.execute<{ id: string; projectId: number }>(sql`
    update alarm_incident i set is_flapping = false
    where i.status <> 'resolved' and i.is_flapping
      and exists (select 1 from alarm_state s where s.project_id = i.project_id and s.incident_id = i.id)
      and not exists (
        select 1 from alarm_state s where s.project_id = i.project_id and s.incident_id = i.id
          and (not s.is_met or s.since > now() - make_interval(mins => ${flappingQuietMinutes})))
    returning i.id, i.project_id as "projectId"`)
  return rows
}

/** Entry in the timeline of an incident that flaps, or does not any more. */
export const toFlappingEvent = (
  { id, projectId }: { id: string; projectId: number },
  cause: 'flapping' | 'flappingEnded' = 'flapping',
) => ({
  projectId: Number(projectId),
  incidentId: id,
  kind: 'noted' as const,
  detail: { cause },
})
