import { getPastTime, hourMs } from '@iot/shared/contract/duration'
import { ProblemKind, type Problem } from '@iot/shared/contract/device/device.schema'
import { validateProjectOperation } from '@iot/shared/contract/project/projectStatus'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { device } from '../../../tables/device'
import { project } from '../../../tables/project'
import { isOpenRun } from '../../scene/policy'
import { litEmptyRooms, type ScopeCondition } from '../policy/litRooms'

/** Each kind lists at most this many incidents; the rest are counted. */
const maxListedPerKind = 50
const failureWindowDays = 7

type IncidentRow = Omit<Problem, 'deviceIds'> & { deviceIds?: string[] }
type IncidentCount = { kind: ProblemKind; count: number }

/** The list is ordered by kind, `since` and id, which stay fixed while an incident lasts. */
const kinds = ProblemKind.options

/**
 * Finds the open incidents of a project. Devices behind an offline edge host are not listed separately. A failed
 * command is over once a later one succeeds or the device reports the requested values, and faults count for a day. A
 * device that never connected is only counted as `inactive`. Only a project in 运行 has incidents.
 * @param scope condition that limits the devices: edge hosts that serve one of them, and the lights among them
 */
export async function findIncidents(db: Db, projectId: number, scope?: SQL) {
  /** Returns the first rows of a query and all counts by kind. */
  const readIncidents = async (incidentSql: SQL) => {
    const { rows } = await db.execute<{ named: IncidentRow[]; counted: IncidentCount[] }>(sql`
      with found as materialized (${incidentSql})
      select
        (select coalesce(json_agg(first), '[]') from (select * from found order by since nulls last, id limit ${maxListedPerKind}) as first) as named,
        (select coalesce(json_agg(sums), '[]') from (
          select kind, count(*)::int as count from found group by kind) as sums) as counted`)
    const { named: firstRows, counted: countRows } = rows[0]!
    const list = firstRows.map(({ deviceIds = [], ...one }) => ({
      ...one,
      spaceId: one.spaceId ?? '',
      since: one.since && new Date(one.since).toISOString(),
      deviceIds,
    }))
    return { list, counted: countRows }
  }
  const isInScope: ScopeCondition = (id) =>
    scope
      ? sql`${id} in (select ${device.id} from ${device} where ${device.projectId} = ${projectId} and ${scope})`
      : sql`true`
  const [projectRow] = await db
    .select({ status: project.status, litHoldMinutes: project.litHoldMinutes })
    .from(project)
    .where(eq(project.projectId, projectId))
  const inactive = await db.$count(
    device,
    and(eq(device.projectId, projectId), eq(device.state, 'inactive'), scope),
  )
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<ProblemKind, number>
  const quietReason = projectRow && validateProjectOperation(projectRow.status, 'report')
  if (quietReason) return { list: [], counts, floors: {}, inactive, quietReason }
  const results = await Promise.all([
    readIncidents(offlineEdgeHosts(projectId, isInScope)),
    readIncidents(deviceFaults(projectId, isInScope)),
    readIncidents(failedCommands(projectId, isInScope)),
    // A scene concerns the whole project, so a filter by devices omits it.
    ...(scope ? [] : [readIncidents(unfinishedRuns(projectId))]),
    readIncidents(offlineDevices(projectId, isInScope)),
    readIncidents(litEmptyRooms(projectId, isInScope, projectRow?.litHoldMinutes ?? 0)),
  ])
  const list = results
    .flatMap((result) => result.list)
    // The sort is stable, so the order of the database is kept within a kind.
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  for (const { kind, count } of results.flatMap((result) => result.counted)) counts[kind] += count
  const floors = await countIncidentsByFloor(db, projectId)
  return { list, counts, floors, inactive, quietReason: '' }
}

/** Adds a problem of the platform, which belongs to no project, at its place in the order of kinds. */
export function addProblem<R extends { list: Problem[]; counts: Record<ProblemKind, number> }>(
  incidents: R,
  problem: Pick<Problem, 'kind' | 'id' | 'name' | 'reason' | 'since'>,
): R {
  const { kind } = problem
  const placeless = { spaceId: '', floorId: null, deviceIds: [] }
  const list = [...incidents.list, { ...problem, ...placeless }].sort(
    (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind),
  )
  return { ...incidents, list, counts: { ...incidents.counts, [kind]: incidents.counts[kind] + 1 } }
}

/** Counts the alarm incidents that are not resolved by the floors of their devices or of their room. */
async function countIncidentsByFloor(db: Db, projectId: number) {
  const { rows } = await db.execute<{ floorId: string; count: number }>(sql`
    select "floorId", count(*)::int as count from (
      select i.id, d.floor_id as "floorId"
      from alarm_incident i
        join incident_device x on x.project_id = i.project_id and x.incident_id = i.id and x.recovered_time is null
        join device d on d.project_id = x.project_id and d.id = x.device_id
      where i.project_id = ${projectId} and i.status <> 'resolved'
      union
      select i.id, d.floor_id
      from alarm_incident i join device d on d.project_id = i.project_id and d.space_id = i.space_id
      where i.project_id = ${projectId} and i.status <> 'resolved' and i.subject_key like 'space:%') as places
    where "floorId" is not null group by "floorId"`)
  return Object.fromEntries(rows.map(({ floorId, count }) => [floorId, count]))
}

const columns = sql`d.id, d.name, d.space_id as "spaceId", d.floor_id as "floorId"`

const offlineEdgeHosts = (projectId: number, isInScope: ScopeCondition) => sql`
  select 'edge' as kind, ${columns}, coalesce(d.reported_time, d.online_time) as since,
    '离线' || coalesce('，带 ' || nullif((
      select count(*) from device c where c.project_id = d.project_id and c.gateway_id = d.id), 0) || ' 台设备', '') as reason
  from device d join product p on p.id = d.product_id
  where d.project_id = ${projectId} and p.node = 'gateway' and d.state = 'offline'
    and (${isInScope(sql`d.id`)} or exists (
      select 1 from device c where c.project_id = d.project_id and c.gateway_id = d.id and ${isInScope(sql`c.id`)}))`

const offlineDevices = (projectId: number, isInScope: ScopeCondition) => sql`
  select 'offline' as kind, ${columns}, coalesce(d.reported_time, d.online_time) as since,
    '离线' as reason
  from device d join product p on p.id = d.product_id
    left join device g on g.project_id = d.project_id and g.id = d.gateway_id
  where d.project_id = ${projectId} and p.node <> 'gateway' and d.state = 'offline'
    and (g.id is null or g.state <> 'offline') and ${isInScope(sql`d.id`)}`

const deviceFaults = (projectId: number, isInScope: ScopeCondition) => sql`
  select distinct on (d.id) 'fault' as kind, ${columns}, min(e.time) over (partition by d.id) as since,
    '上报故障 ' || e.identifier as reason
  from device_event e join device d on d.project_id = e.project_id and d.id = e.device_id
  where e.project_id = ${projectId} and e.type = 'error' and ${isInScope(sql`d.id`)}
    and e.time > ${getPastTime(24 * hourMs)}::timestamptz
  order by d.id, e.time desc`

/** The query starts at partly failed tasks, because their ledgers are few and the whole ledger is large. */
const failedCommands = (projectId: number, isInScope: ScopeCondition) => sql`
  select distinct on (d.id) ${columns}, l.state as kind, l.reason, l.done_time as since
  from task t
    join control_ledger l on l.project_id = t.project_id and l.task_id = t.id
      and l.state in ('failed', 'timeout')
    join device d on d.project_id = l.project_id and d.id = l.device_id
  where t.project_id = ${projectId} and t.kind = 'control'
    and t.create_time > ${new Date(Date.now() - failureWindowDays * 24 * hourMs).toISOString()}::timestamptz
    and coalesce((t.counts ->> 'failed')::int, 0) + coalesce((t.counts ->> 'timeout')::int, 0) > 0
    and d.state = 'online' and not d.reported @> l.target and ${isInScope(sql`d.id`)}
    and not exists (
      select 1 from control_ledger n where n.project_id = l.project_id and n.device_id = l.device_id
        and n.task_id > l.task_id and n.state not in ('skipped', 'cancelled', 'queued', 'sent', 'delivered'))
  order by d.id, l.task_id desc`

/** Lists unacknowledged runs that a schedule or condition started and that were missed or failed, one row per scene. */
const unfinishedRuns = (projectId: number) => sql`
  select 'scene' as kind, r.scene_id as id, coalesce(s.name, '已删除的场景') as name, null::uuid as "spaceId",
    null::uuid as "floorId", min(coalesce(r.due_time, r.create_time)) as since,
    concat_ws('，', '错过 ' || nullif(count(*) filter (where r.status = 'missed'), 0) || ' 次',
      '未完成 ' || nullif(count(*) filter (where r.status = 'failed'), 0) || ' 次')
      || coalesce('：' || nullif((array_agg(r.reason order by r.id desc))[1], ''), '') as reason
  from scene_run r left join scene s on s.project_id = r.project_id and s.id = r.scene_id
  where r.project_id = ${projectId} and ${isOpenRun}
  group by r.scene_id, s.name`
