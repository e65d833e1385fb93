import type { AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import type { IncidentEventKind } from '@iot/shared/contract/alarm/incident.schema'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import { alarmIncident, incidentEvent } from '../../tables/alarm'
import { readPrevious, toFlappingEvent } from './flapping'
import { notifyIncidents } from './notifyIncidents'

export type NewIncident = Pick<
  typeof alarmIncident.$inferInsert,
  'projectId' | 'ruleId' | 'ruleVersion' | 'ruleName' | 'subjectKey' | 'subjectName' | 'title'
> & {
  severity: AlarmSeverity
  deviceId: string | null
  spaceId: string | null
  firstTime: string
}
export type IncidentSubject = {
  ruleId: string
  subjectKey: string
  deviceId: string | null
  name: string
  detail: string
  since: string
}
type EventDraft = {
  projectId: number
  incidentId: string
  kind: IncidentEventKind
  userId?: string
  detail?: Record<string, unknown>
}

/**
 * Adds entries to timelines and queues their notifications; callers use the transaction of the change and have made the
 * change before.
 */
export async function addIncidentEvents(tx: Db, events: EventDraft[]) {
  if (events.length === 0) return
  const time = now()
  const eventRows = await tx
    .insert(incidentEvent)
    .values(events.map((event) => ({ ...event, time })))
    .returning()
  const skippedNotes = await notifyIncidents(tx, eventRows)
  if (skippedNotes.length > 0)
    await tx.insert(incidentEvent).values(skippedNotes.map((note) => ({ ...note, time })))
}

const toRecords = (rows: unknown[], columns: string) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as new(${sql.raw(columns)})`

const subjectColumns = '"ruleId" uuid, "subjectKey" text'
const matchesSubject = (projectId: number) =>
  sql`s.project_id = ${projectId} and s.rule_id = new."ruleId" and s.subject_key = new."subjectKey"`

/**
 * Locks the conditions of subjects and returns those that still wait for an incident: another process, or a person, may
 * have dealt with them since they were read.
 */
async function lockWaiting(tx: Db, projectId: number, subjects: IncidentSubject[]) {
  const { rows } = await tx.execute<Pick<IncidentSubject, 'ruleId' | 'subjectKey'>>(sql`
    select s.rule_id as "ruleId", s.subject_key as "subjectKey"
    from alarm_state s join ${toRecords(subjects, subjectColumns)} on ${matchesSubject(projectId)}
    where s.incident_id is null and s.is_met and not s.is_muted
    order by s.rule_id, s.subject_key for update of s`)
  const toKey = ({ ruleId, subjectKey }: (typeof rows)[number]) => `${ruleId} ${subjectKey}`
  const waitingKeys = new Set(rows.map(toKey))
  return subjects.filter((subject) => waitingKeys.has(toKey(subject)))
}

/** Puts devices and conditions into an incident. */
async function addSubjects(
  tx: Db,
  projectId: number,
  incidentId: string,
  subjects: IncidentSubject[],
) {
  await tx.execute(sql`
    insert into incident_device (project_id, incident_id, device_id, name, first_time, detail)
    select ${projectId}::integer, ${incidentId}::uuid, "deviceId", name, since, detail
    from ${toRecords(
      subjects.filter(({ deviceId }) => deviceId !== null),
      '"deviceId" uuid, name text, since timestamptz, detail text',
    )}
    on conflict (project_id, incident_id, device_id) do update set recovered_time = null, detail = excluded.detail`)
  await tx.execute(sql`
    update alarm_state s set incident_id = ${incidentId}::uuid, window_id = null
    from ${toRecords(subjects, subjectColumns)} where ${matchesSubject(projectId)}`)
  await tx.execute(sql`
    update alarm_incident set last_time = now(),
      device_count = (select count(*)::int from incident_device d where d.project_id = ${projectId} and d.incident_id = ${incidentId}::uuid)
    where project_id = ${projectId} and id = ${incidentId}::uuid`)
}

/**
 * Opens an incident, or adds the subjects to the one that is open for this rule and subject. Subjects that do not wait
 * for an incident any more are left out.
 * @param windowName a maintenance window with this name has held the incident back until its end
 */
export async function openIncident(
  tx: Db,
  draft: NewIncident,
  subjects: IncidentSubject[],
  { windowName }: { windowName?: string } = {},
) {
  const waitingSubjects = await lockWaiting(tx, draft.projectId, subjects)
  if (waitingSubjects.length === 0) return undefined
  const id = uuidv7()
  const time = now()
  const { previousId, isFlapping } = await readPrevious(tx, draft)
  const [insertedRow] = await tx
    .insert(alarmIncident)
    .values({ ...draft, id, previousId, isFlapping, openedTime: time, lastTime: time })
    .onConflictDoNothing()
    .returning({ id: alarmIncident.id })
  const incidentId = insertedRow?.id ?? (await findOpen(tx, draft))
  if (!incidentId) return undefined
  await addSubjects(tx, draft.projectId, incidentId, waitingSubjects)
  if (insertedRow)
    await addIncidentEvents(tx, [
      {
        projectId: draft.projectId,
        incidentId: id,
        kind: 'opened',
        detail: {
          title: draft.title,
          severity: draft.severity,
          text: waitingSubjects[0]!.detail,
          ...(windowName !== undefined && { windowName }),
        },
      },
      ...(isFlapping ? [toFlappingEvent({ id, projectId: draft.projectId })] : []),
    ])
  return incidentId
}

async function findOpen(tx: Db, { projectId, ruleId, subjectKey }: NewIncident) {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from alarm_incident where project_id = ${projectId} and rule_id = ${ruleId}::uuid
      and subject_key = ${subjectKey} and status <> 'resolved'`)
  return rows[0]?.id
}

/**
 * Adds the subjects that wait for an incident to that of another subject, such as the gateway that they are connected to.
 */
export async function joinIncident(
  tx: Db,
  projectId: number,
  incidentId: string,
  subjects: IncidentSubject[],
) {
  const waitingSubjects = await lockWaiting(tx, projectId, subjects)
  if (waitingSubjects.length > 0) await addSubjects(tx, projectId, incidentId, waitingSubjects)
}

export type ResolvedIncident = { id: string; projectId: number }
/**
 * Resolves incidents that are not resolved yet and forgets their conditions.
 * @param conditions `muted`: they hold on, and no other incident is opened before they are over; `kept`: they hold on,
 *   and another incident may be opened for them
 */
export async function resolveIncidents(
  tx: Db,
  incidents: ResolvedIncident[],
  {
    reason,
    user,
    conditions,
  }: { reason: string; user?: { id: string; name: string }; conditions?: 'muted' | 'kept' },
) {
  if (incidents.length === 0) return []
  const records = toRecords(incidents, 'id uuid, "projectId" integer')
  const { rows } = await tx.execute<ResolvedIncident>(sql`
    update alarm_incident i set status = 'resolved', resolved_time = now(), snoozed_until = null, version = i.version + 1,
      resolved_by = ${user?.name ?? ''}, resolve_reason = ${reason}, update_by = ${user?.name ?? ''}
    from ${records} where i.project_id = new."projectId" and i.id = new.id and i.status <> 'resolved'
    returning i.id, i.project_id as "projectId"`)
  const resolved = toRecords(rows, 'id uuid, "projectId" integer')
  await tx.execute(sql`
    update incident_device d set recovered_time = coalesce(s.since, now())
    from ${resolved} join alarm_state s on s.project_id = new."projectId" and s.incident_id = new.id and not s.is_met
    where d.project_id = new."projectId" and d.incident_id = new.id and d.device_id = s.device_id and d.recovered_time is null`)
  if (conditions)
    await tx.execute(sql`
      update alarm_state s set incident_id = null, is_muted = ${conditions === 'muted'}, repeats = 0 from ${resolved}, alarm_rule r
      where s.project_id = new."projectId" and s.incident_id = new.id and s.is_met
        and r.id = s.rule_id and r.source ->> 'kind' <> 'event'`)
  await tx.execute(sql`
    delete from alarm_state s using ${resolved} where s.project_id = new."projectId" and s.incident_id = new.id`)
  await addIncidentEvents(
    tx,
    rows.map(({ id, projectId }) => ({
      projectId: Number(projectId),
      incidentId: id,
      kind: 'resolved',
      userId: user?.id,
      detail: { reason },
    })),
  )
  return rows
}
