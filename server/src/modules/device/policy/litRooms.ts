import { lightSwitchIdentifier, lightProductType } from '@iot/shared/contract/control/light'
import { sql, type SQL } from 'drizzle-orm'

/** Limits the devices by their id. */
export type ScopeCondition = (id: SQL) => SQL

const reportedAt = (tableAlias: SQL, identifier: string) =>
  sql`to_timestamp((${tableAlias}.reported_at ->> ${identifier})::bigint / 1000.0)`
const fromHistory = (tableAlias: SQL, identifier: string) =>
  sql`from property_history h where h.project_id = ${tableAlias}.project_id and h.device_id = ${tableAlias}.id
        and h.identifier = ${identifier}`
/** The time when a lamp was switched on is looked up at most this far back. */
const maxLookBack = sql`interval '1 day'`

/**
 * Lists rooms that are lit although all their online presence sensors report no one. Both states must have lasted
 * `holdMinutes`, so that a short absence, or a light that was just switched on, is no incident.
 */
export const litEmptyRooms = (
  projectId: number,
  isInScope: ScopeCondition,
  holdMinutes: number,
) => sql`
  with empty as (
    select d.space_id, min(d.floor_id::text)::uuid as floor_id,
      max(coalesce(
        (select max(h.time) ${fromHistory(sql`d`, 'PresenceState')} and h.value = '1'),
        (select min(h.time) ${fromHistory(sql`d`, 'PresenceState')}),
        ${reportedAt(sql`d`, 'PresenceState')})) as since
    from device d
    where d.project_id = ${projectId} and d.space_id is not null and d.state = 'online'
      and d.reported ? 'PresenceState' and not d.stale ? 'PresenceState'
    group by d.space_id having bool_and(d.reported ->> 'PresenceState' = '0')),
  lit as (
    select l.id, e.space_id, e.floor_id, greatest(e.since, (
      select max(h.time) ${fromHistory(sql`l`, lightSwitchIdentifier)} and h.value = '0'
        and h.time > now() - ${maxLookBack})) as since
    from empty e join device l on l.project_id = ${projectId} and l.space_id = e.space_id
    where l.product_id in (select id from product where product_type = ${lightProductType})
      and l.state = 'online' and not l.protected and l.reported ->> ${lightSwitchIdentifier} = '1'
      and not l.stale ? ${lightSwitchIdentifier} and ${isInScope(sql`l.id`)})
  select 'lit' as kind, s.id, s.name, s.id as "spaceId", lit.floor_id as "floorId",
    min(lit.since) as since, '亮着 ' || count(lit.id) || ' 盏，没有人' as reason,
    json_agg(lit.id order by lit.id) as "deviceIds"
  from lit join space s on s.project_id = ${projectId} and s.id = lit.space_id
  where lit.since is null or lit.since <= now() - make_interval(mins => ${holdMinutes})
  group by s.id, s.name, lit.floor_id`
