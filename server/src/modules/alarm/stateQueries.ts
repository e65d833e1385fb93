import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { quietStatuses } from '../project/policy'

/** A condition whose value was unknown for longer than this has neither held nor recovered without a break. */
export const maxGapMinutes = 5

export type StateChange = {
  ruleId: string
  projectId: number
  subjectKey: string
  deviceId: string | null
  signal: 'met' | 'between' | 'over' | 'unknown'
  detail: string
  /** The condition is ended or interrupted only if it is still the one that was read, which holds since then. */
  readSince?: string
}
export const toDeviceKey = (deviceId: string) => `device:${deviceId}`

const toRecords = (changes: StateChange[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
    as new("ruleId" uuid, "projectId" integer, "subjectKey" text, "deviceId" uuid, detail text, "readSince" timestamptz)`
const matchesRecord = sql`s.project_id = new."projectId" and s.rule_id = new."ruleId" and s.subject_key = new."subjectKey"
  and s.since = coalesce(new."readSince", s.since)`
const maxGap = sql`make_interval(mins => ${maxGapMinutes})`
const isLongGap = sql`alarm_state.gap_since < now() - ${maxGap}`

/** Writes in one statement per signal what devices say about rules; a change that was written before has no effect. */
export async function writeStateChanges(db: Db, changes: StateChange[]) {
  const listBySignal = (signal: StateChange['signal']) =>
    changes.filter((change) => change.signal === signal)
  const metChanges = listBySignal('met')
  if (metChanges.length > 0)
    await db.execute(sql`
      insert into alarm_state (project_id, rule_id, subject_key, device_id, is_met, since, detail)
      select "projectId", "ruleId", "subjectKey", "deviceId", true, now(), detail from ${toRecords(metChanges)}
      on conflict (project_id, rule_id, subject_key) do update set
        since = case when alarm_state.is_met and not coalesce(${isLongGap}, false) then alarm_state.since else now() end,
        repeats = alarm_state.repeats + case when not alarm_state.is_met and alarm_state.incident_id is not null then 1 else 0 end,
        is_met = true, gap_since = null, detail = excluded.detail
        where not alarm_state.is_met or alarm_state.gap_since is not null`)
  const betweenChanges = listBySignal('between')
  if (betweenChanges.length > 0) {
    await db.execute(sql`
      delete from alarm_state s using ${toRecords(betweenChanges)}
      where ${matchesRecord} and s.incident_id is null and not s.is_muted`)
    // An open incident goes on between both limits: what had begun to recover has not.
    await db.execute(sql`
      update alarm_state s set is_met = true, since = now(), gap_since = null from ${toRecords(betweenChanges)}
      where ${matchesRecord} and s.incident_id is not null and not s.is_met`)
  }
  const overChanges = listBySignal('over')
  if (overChanges.length > 0) {
    await db.execute(sql`
      delete from alarm_state s using ${toRecords(overChanges)} where ${matchesRecord} and s.incident_id is null`)
    // A recovery that an unknown value has interrupted for long begins anew.
    await db.execute(sql`
      update alarm_state s set is_met = false, gap_since = null,
        since = case when s.is_met or s.gap_since < now() - ${maxGap} then now() else s.since end
      from ${toRecords(overChanges)}
      where ${matchesRecord} and s.incident_id is not null and (s.is_met or s.gap_since is not null)`)
  }
  const unknownChanges = listBySignal('unknown')
  if (unknownChanges.length > 0)
    await db.execute(sql`
      update alarm_state s set gap_since = now() from ${toRecords(unknownChanges)}
      where ${matchesRecord} and (s.incident_id is null or not s.is_met) and s.gap_since is null`)
}

/**
 * Records occurrences of events; each counts, also before its incident is opened. An event does not last, so one of a
 * project that reports no problems is not reported later either.
 */
export const writeOccurrences = (db: Db, changes: StateChange[]) =>
  db.execute(sql`
    insert into alarm_state (project_id, rule_id, subject_key, device_id, is_met, since, detail)
    select "projectId", "ruleId", "subjectKey", "deviceId", true, now(), detail from ${toRecords(changes)}
    where not exists (select 1 from project p where p.id = new."projectId" and p.status in (${quietStatuses}))
    on conflict (project_id, rule_id, subject_key) do update set
      since = now(), repeats = alarm_state.repeats + 1, detail = excluded.detail`)

export type KnownState = {
  ruleId: string
  deviceId: string
  isMet: boolean
  isUnknown: boolean
}
export const stateQueries = (db: Db) => ({
  /** Lists what is stored about devices, for a process that begins to evaluate. */
  async listKnown() {
    const { rows } = await db.execute<KnownState>(sql`
      select rule_id as "ruleId", device_id as "deviceId", is_met as "isMet", gap_since is not null as "isUnknown"
      from alarm_state where device_id is not null`)
    return rows
  },
})
