import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import { isWindowCurrent, type WindowTimes } from '@iot/shared/contract/alarm/maintenanceWindow'
import type { ProjectStatus } from '@iot/shared/contract/project/projectStatus'
import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { quietStatuses } from '../project/policy'
import { flappingQuietMinutes } from './flapping'
import { maxGapMinutes } from './stateQueries'

const maxDueRows = 5000
/** An incident of a storm takes in further devices for this long after its last one. */
const groupMinutes = 30

export type DueRow = {
  ruleId: string
  projectId: number
  subjectKey: string
  deviceId: string | null
  since: string
  /** The same time with all its digits, because it is compared with what is stored then. */
  readSince: string
  detail: string
  /** Null for a subject that is no device, or a device that is deleted. */
  name: string | null
  productId: string | null
  spaceId: string | null
  floorId: string | null
  state: DeviceState | null
  reported: Values | null
  stale: Record<string, number> | null
  gatewayId: string | null
  gatewayName: string | null
  isGatewayOffline: boolean
  projectStatus: ProjectStatus | null
  /** The maintenance window that held the condition back until now. */
  windowId: string | null
  /** Null without a window, or if it has been deleted. */
  windowName: string | null
}
export type OpenSummary = {
  ruleId: string
  projectId: number
  recent: number
  groupKeys: string[]
}
/** A current window with the spaces that it covers; null for the whole project. */
export type WindowScope = StoredWindow & { spaceIds: string[] | null }
type StoredWindow = {
  id: string
  projectId: number
  spaceId: string | null
  name: string
  timeZone: string
}
export type GatewayIncident = { id: string; projectId: number; gatewayId: string }

export type EndedIncident = { id: string; projectId: number; ruleId: string; hasStates: boolean }

const isListed = (ids: string[]) =>
  sql`i.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
const toIso = (value: string) => new Date(value).toISOString()

export const dueQueries = (db: Db) => ({
  /**
   * Lists conditions that have held long enough and have no incident, except those that a current window holds back. One
   * whose device has left the place of its window, or that the window was changed to leave out, is listed.
   */
  async listDue(windows: WindowScope[]): Promise<DueRow[]> {
    const windowRecords = windows.map(({ id, spaceIds }) => ({ id, spaceIds }))
    const { rows } = await db.execute<DueRow>(sql`
      select s.rule_id as "ruleId", s.project_id as "projectId", s.subject_key as "subjectKey", s.device_id as "deviceId",
        s.since, s.since::text as "readSince", s.detail, d.name, d.product_id as "productId", d.space_id as "spaceId", d.floor_id as "floorId",
        d.state, d.reported, d.stale, g.id as "gatewayId", g.name as "gatewayName",
        coalesce(g.state = 'offline', false) as "isGatewayOffline", p.status as "projectStatus",
        s.window_id as "windowId", w.name as "windowName"
      from alarm_state s join alarm_rule r on r.id = s.rule_id and r.status = 'enabled'
        left join device d on d.project_id = s.project_id and d.id = s.device_id
        left join device g on g.project_id = d.project_id and g.id = d.gateway_id
        left join project p on p.id = s.project_id
        left join maintenance_window w on w.id = s.window_id
      where s.incident_id is null and s.is_met and not s.is_muted and s.gap_since is null
        and s.since <= now() - make_interval(mins => r.for_minutes)
        and (s.window_id is null or not exists (
          select 1 from jsonb_to_recordset(${JSON.stringify(windowRecords)}::jsonb) as held(id uuid, "spaceIds" jsonb)
          where held.id = s.window_id and (held."spaceIds" is null or held."spaceIds" ?
            case when s.subject_key like 'space:%' then substr(s.subject_key, 7) else d.space_id::text end)))
        and (p.status is null or p.status not in (${quietStatuses}))
      order by s.since, s.subject_key limit ${maxDueRows}`)
    return rows.map((row) => ({ ...row, since: toIso(row.since) }))
  },
  /** Returns true if a pass may find anything, because it runs each second. */
  async hasWork() {
    const { rows } = await db.execute<{ hasWork: boolean }>(sql`
      select exists (select 1 from alarm_state) or exists (select 1 from alarm_incident where status <> 'resolved') as "hasWork"`)
    return rows[0]!.hasWork
  },
  /** Lists the maintenance windows that apply now. */
  async listWindows() {
    const { rows } = await db.execute<WindowTimes & StoredWindow>(sql`
      select w.id, w.project_id as "projectId", w.space_id as "spaceId", w.name, w.start_time as "startTime",
        w.end_time as "endTime", w.weekdays, w.from_clock as "fromClock", w.to_clock as "toClock", p.time_zone as "timeZone"
      from maintenance_window w join project p on p.id = w.project_id
      where w.start_time <= now() and w.end_time > now()`)
    return rows.filter((window) => isWindowCurrent(window, Date.now(), window.timeZone))
  },
  /** Returns for each rule and project how many incidents were opened lately, and which groups are open. */
  async listOpenSummaries(): Promise<OpenSummary[]> {
    const { rows } = await db.execute<OpenSummary>(sql`
      select rule_id as "ruleId", project_id as "projectId",
        (count(*) filter (where device_id is not null and opened_time > now() - interval '2 minutes'))::int as recent,
        coalesce(array_agg(subject_key) filter (where (subject_key like 'floor:%' or subject_key like 'project:%')
          and last_time > now() - make_interval(mins => ${groupMinutes})), '{}') as "groupKeys"
      from alarm_incident where status <> 'resolved' group by rule_id, project_id`)
    return rows
  },
  /** Lists the open offline incidents of gateways, or of the devices of a gateway. */
  async listGatewayIncidents(): Promise<GatewayIncident[]> {
    const { rows } = await db.execute<GatewayIncident>(sql`
      select i.id, i.project_id as "projectId", i.device_id as "gatewayId"
      from alarm_incident i join alarm_rule r on r.id = i.rule_id and r.source ->> 'kind' = 'offline'
      where i.status <> 'resolved' and i.device_id is not null`)
    return rows
  },
  /** Returns gateways whose own offline incident is about to be opened. */
  async listPendingGateways() {
    const { rows } = await db.execute<{ id: string }>(sql`
      select s.device_id as id from alarm_state s join alarm_rule r on r.id = s.rule_id and r.source ->> 'kind' = 'offline'
      where s.incident_id is null and s.is_met and not s.is_muted and s.device_id is not null`)
    return new Set(rows.map(({ id }) => id))
  },
  /** Floors and projects by id, for the names of groups. */
  async findNames(floorIds: string[], projectIds: number[]) {
    const { rows } = await db.execute<{ key: string; name: string }>(sql`
      select 'floor:' || f.id as key, coalesce(b.name || ' ', '') || f.name as name
      from space f left join space b on b.project_id = f.project_id and b.id = f.parent_id
      where f.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(floorIds)}::jsonb))
      union all select 'project:' || id, name from project
      where id in (select value::int from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb))`)
    return new Map(rows.map(({ key, name }) => [key, name]))
  },
  /** Marks the conditions that a window holds back and returns those that it did not hold before. */
  async holdInWindow(
    heldStates: { ruleId: string; subjectKey: string; projectId: number; windowId: string }[],
  ) {
    const { rows } = await db.execute<{
      ruleId: string
      projectId: number
      windowId: string
      count: number
    }>(sql`
      with held as (
        update alarm_state s set window_id = new."windowId"
        from jsonb_to_recordset(${JSON.stringify(heldStates)}::jsonb) as new("ruleId" uuid, "subjectKey" text, "projectId" integer, "windowId" uuid)
        where s.project_id = new."projectId" and s.rule_id = new."ruleId" and s.subject_key = new."subjectKey"
          and s.window_id is distinct from new."windowId"
        returning s.rule_id, s.project_id, s.window_id)
      select rule_id as "ruleId", project_id as "projectId", window_id as "windowId", count(*)::int as count
      from held group by rule_id, project_id, window_id`)
    return rows
  },
  /** Forgets events that a maintenance window has held back until they were over by the time of their rule. */
  forgetHeldEvents: () =>
    db.execute(sql`
      delete from alarm_state s using alarm_rule r
      where r.id = s.rule_id and r.source ->> 'kind' = 'event' and r.recover_minutes > 0 and s.incident_id is null
        and s.window_id is not null and s.since <= now() - make_interval(mins => r.recover_minutes)`),
  /** Lets go of devices that stay away after their gateway is back, so that they get incidents of their own. */
  releaseChildren: () =>
    db.execute(sql`
      update alarm_state s set incident_id = null, since = now(), repeats = 0
      from alarm_incident i join alarm_rule r on r.id = i.rule_id and r.source ->> 'kind' = 'offline'
        join device g on g.project_id = i.project_id and g.id = i.device_id and g.state = 'online'
      where i.status <> 'resolved' and s.project_id = i.project_id and s.incident_id = i.id and s.is_met
        and s.device_id <> i.device_id`),
  /**
   * Lists incidents whose conditions have all been over for as long as their rules say, and known to be.
   * @param ids only these incidents; without them, all
   */
  async listRecovered(ids?: string[]) {
    const { rows } = await db.execute<EndedIncident>(sql`
      select i.id, i.project_id as "projectId", i.rule_id as "ruleId",
        exists (select 1 from alarm_state s where s.project_id = i.project_id and s.incident_id = i.id) as "hasStates"
      from alarm_incident i join alarm_rule r on r.id = i.rule_id
      where i.status <> 'resolved' and ${ids ? isListed(ids) : sql`true`} and not exists (
        select 1 from alarm_state s where s.project_id = i.project_id and s.incident_id = i.id and (
          case when r.source ->> 'kind' = 'event' then r.recover_minutes = 0 else s.is_met end
          or s.since > coalesce(s.gap_since, now()) - make_interval(mins => case when i.is_flapping
            then greatest(r.recover_minutes, ${flappingQuietMinutes}) else r.recover_minutes end)))
      limit 1000`)
    return rows
  },
  /** Locks incidents and their conditions, so that none of them changes before the transaction ends. */
  async lockIncidents(ids: string[]) {
    await db.execute(sql`
      select 1 from alarm_incident i where ${isListed(ids)} order by i.id for update`)
    await db.execute(sql`
      select 1 from alarm_state s join alarm_incident i on i.project_id = s.project_id and i.id = s.incident_id
      where ${isListed(ids)} order by s.rule_id, s.subject_key for update of s`)
  },
  /** Lists incidents of projects that report no problems any more. */
  async listQuiet() {
    const { rows } = await db.execute<{ id: string; projectId: number; status: ProjectStatus }>(sql`
      select i.id, i.project_id as "projectId", p.status from alarm_incident i join project p on p.id = i.project_id
      where i.status <> 'resolved' and p.status in (${quietStatuses}) limit 1000`)
    return rows
  },
  async endSnoozes() {
    const { rows } = await db.execute<{ id: string; projectId: number }>(sql`
      update alarm_incident set snoozed_until = null, version = version + 1
      where status <> 'resolved' and snoozed_until <= now() returning id, project_id as "projectId"`)
    return rows
  },
  /** Lets the open incidents of single devices follow these to another place of their project. */
  followPlaces: () =>
    db.execute(sql`
      update alarm_incident i set space_id = d.space_id from device d
      where i.status <> 'resolved' and i.subject_key like 'device:%' and d.project_id = i.project_id and d.id = i.device_id
        and d.space_id is distinct from i.space_id`),
  /** Marks the devices of open incidents that have recovered, and those that have not or fail again. */
  markRecoveredDevices: () =>
    db.execute(sql`
      update incident_device d set recovered_time = case when s.is_met then null else s.since end from alarm_state s
      where s.incident_id is not null and d.project_id = s.project_id and d.incident_id = s.incident_id
        and d.device_id = s.device_id and (d.recovered_time is null) <> s.is_met`),
  /** Returns seconds since some process last ran the jobs, and stores that one runs them now. */
  async beat() {
    const { rows } = await db.execute<{ seconds: number | null }>(sql`
      select extract(epoch from now() - last_time)::int as seconds from job where name = 'alarm'`)
    await db.execute(sql`
      insert into job (name, last_time) values ('alarm', now()) on conflict (name) do update set last_time = now()`)
    return rows[0]?.seconds ?? 0
  },
  /** Restarts the durations and recoveries of conditions, because values during a long stop are unknown. */
  restartDurations: () =>
    db.execute(sql`
      update alarm_state s set since = now() from alarm_rule r
      where r.id = s.rule_id and r.source ->> 'kind' = 'threshold' and (s.incident_id is null) = s.is_met`),
  maxGapSeconds: maxGapMinutes * 60,
})
