import type { Problem, ProblemKind } from '@iot/shared/contract/device'
import { lightSwitch, lightType } from '@iot/shared/contract/light'
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device } from '../../tables/device'

/** Of each kind so many are named. */
const most = 50
const days = 7
const hour = 3600_000

type Named = Omit<Problem, 'deviceIds'> & { deviceIds?: string[] }
type Counted = { kind: ProblemKind; floorId: string | null; count: number }
type IsAmong = (id: SQL) => SQL

/**
 * What is wrong in a project now. Devices behind an edge host that is down are not named one by one, a failed command is
 * over when a later one succeeded or the lamp followed late, and a fault was reported within a day.
 * @param some of these devices only: an edge host that carries one of them, light by them
 */
export async function findProblems(db: Db, projectId: number, some?: SQL) {
  /** The first of what went wrong, and how much it is by kind and floor. */
  const read = async (what: SQL, order = sql`since desc nulls last`) => {
    const { rows } = await db.execute<{ named: Named[]; counted: Counted[] }>(sql`
      with found as materialized (${what})
      select
        (select coalesce(json_agg(first), '[]') from (select * from found order by ${order} limit ${most}) as first) as named,
        (select coalesce(json_agg(sums), '[]') from (
          select kind, "floorId", count(*)::int as count from found group by kind, "floorId") as sums) as counted`)
    const { named, counted } = rows[0]!
    const list = named.map(({ deviceIds = [], ...one }) => ({
      ...one,
      spaceId: one.spaceId ?? '',
      since: one.since && new Date(one.since).toISOString(),
      deviceIds,
    }))
    return { list, counted }
  }
  const isAmong: IsAmong = (id) =>
    some
      ? sql`${id} in (select ${device.id} from ${device} where ${device.projectId} = ${projectId} and ${some})`
      : sql`true`
  const found = await Promise.all([
    read(edges(projectId, isAmong)),
    read(faults(projectId, isAmong)),
    read(failures(projectId, isAmong)),
    read(away(projectId, isAmong)),
    read(litForNobody(projectId, isAmong), sql`since nulls first`),
  ])
  const list = found.flatMap((some) => some.list)
  const counts: Record<ProblemKind, number> = {
    edge: 0,
    fault: 0,
    failed: 0,
    timeout: 0,
    offline: 0,
    lit: 0,
  }
  const floors: Record<string, number> = {}
  for (const { kind, floorId, count } of found.flatMap((some) => some.counted)) {
    counts[kind] += count
    if (floorId) floors[floorId] = (floors[floorId] ?? 0) + count
  }
  return { list, counts, floors }
}

const isAway = (state: SQL) => sql`${state} in ('offline', 'inactive')`
const awayText = sql`case when coalesce(d.reported_time, d.online_time) is null then '从未上线' else '离线' end`
const columns = sql`d.id, d.name, d.space_id as "spaceId", d.floor_id as "floorId"`

const edges = (projectId: number, isAmong: IsAmong) => sql`
  select 'edge' as kind, ${columns}, coalesce(d.reported_time, d.online_time) as since,
    ${awayText} || coalesce('，带 ' || nullif((
      select count(*) from device c where c.project_id = d.project_id and c.gateway_id = d.id), 0) || ' 台设备', '') as reason
  from device d join product p on p.id = d.product_id
  where d.project_id = ${projectId} and p.node = 'gateway' and ${isAway(sql`d.state`)}
    and (${isAmong(sql`d.id`)} or exists (
      select 1 from device c where c.project_id = d.project_id and c.gateway_id = d.id and ${isAmong(sql`c.id`)}))`

const away = (projectId: number, isAmong: IsAmong) => sql`
  select 'offline' as kind, ${columns}, coalesce(d.reported_time, d.online_time) as since,
    ${awayText} as reason
  from device d join product p on p.id = d.product_id
    left join device g on g.project_id = d.project_id and g.id = d.gateway_id
  where d.project_id = ${projectId} and p.node <> 'gateway' and ${isAway(sql`d.state`)}
    and (g.id is null or not ${isAway(sql`g.state`)}) and ${isAmong(sql`d.id`)}`

const faults = (projectId: number, isAmong: IsAmong) => sql`
  select distinct on (d.id) 'fault' as kind, ${columns}, e.time as since,
    '上报故障 ' || e.identifier as reason
  from device_event e join device d on d.project_id = e.project_id and d.id = e.device_id
  where e.project_id = ${projectId} and e.type = 'error' and ${isAmong(sql`d.id`)}
    and e.time > ${new Date(Date.now() - 24 * hour).toISOString()}::timestamptz
  order by d.id, e.time desc`

/** By the tasks that failed in part: their ledgers are few, the whole of it is not. */
const failures = (projectId: number, isAmong: IsAmong) => sql`
  select distinct on (d.id) ${columns}, l.state as kind, l.reason, l.done_time as since
  from task t
    join control_ledger l on l.project_id = t.project_id and l.task_id = t.id
      and l.state in ('failed', 'timeout')
    join device d on d.project_id = l.project_id and d.id = l.device_id
  where t.project_id = ${projectId} and t.kind = 'control'
    and t.create_time > ${new Date(Date.now() - days * 24 * hour).toISOString()}::timestamptz
    and coalesce((t.counts ->> 'failed')::int, 0) + coalesce((t.counts ->> 'timeout')::int, 0) > 0
    and d.state = 'online' and not d.reported @> l.target and ${isAmong(sql`d.id`)}
    and not exists (
      select 1 from control_ledger n where n.project_id = l.project_id and n.device_id = l.device_id
        and n.task_id > l.task_id and n.state not in ('skipped', 'cancelled', 'queued', 'sent', 'delivered'))
  order by d.id, l.task_id desc`

/** By presence sensors that can be heard, room by room; one that sees somebody speaks for its room. */
const litForNobody = (projectId: number, isAmong: IsAmong) => sql`
  with empty as (
    select d.space_id, min(d.floor_id::text)::uuid as floor_id, max(coalesce(h.time, to_timestamp((d.reported_at ->> 'PresenceState')::bigint / 1000.0))) as since
    from device d left join lateral (
      select max(time) as time from property_history h where h.project_id = d.project_id
        and h.device_id = d.id and h.identifier = 'PresenceState' and h.value = '1') h on true
    where d.project_id = ${projectId} and d.space_id is not null and d.state = 'online'
      and d.reported ? 'PresenceState' and not d.stale ? 'PresenceState'
    group by d.space_id having bool_and(d.reported ->> 'PresenceState' = '0'))
  select 'lit' as kind, s.id, s.name, s.id as "spaceId", e.floor_id as "floorId", e.since,
    '亮着 ' || count(l.id) || ' 盏，没有人' as reason, json_agg(l.id) as "deviceIds"
  from empty e
    join space s on s.project_id = ${projectId} and s.id = e.space_id
    join device l on l.project_id = ${projectId} and l.space_id = e.space_id
      and l.product_id in (select id from product where product_type = ${lightType}) and l.state = 'online' and not l.protected and l.reported ->> ${lightSwitch} = '1' and not l.stale ? ${lightSwitch}
      and ${isAmong(sql`l.id`)}
  group by s.id, s.name, e.floor_id, e.since`
