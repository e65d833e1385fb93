import type { LiveState } from '@iot/shared/contract/device/device.schema'
import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { PendingChange } from './pendingChange'

export type ChangedDevice = LiveState & {
  projectId: number
  revision: number
  spaceId: string | null
  floorId: string | null
}

/** Stored drop reasons per device; each identifier keeps its last one. */
const maxDroppedReasons = 20

/**
 * Selects values that are not older than the stored ones; a stored time in the future, from a clock that was set back
 * since, does not reject them.
 */
const freshCondition = sql`(new.at ->> key)::bigint >= coalesce(nullif(least((device.reported_at ->> key)::bigint, new.now), new.now), 0)`
const freshTimes = sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(new.at) where ${freshCondition}), '{}')`
const clearedIdentifiers = sql`array(select key from jsonb_each_text(device.wishes) where new.unwish ? value)`
const leavesGateway = sql`(new.leaves is null or device.via = new.leaves)`

/** The newest reasons alone are stored, because a device may invent a new identifier in each message. */
const newestDropped = sql`(select coalesce(jsonb_object_agg(key, value), '{}') from (
  select key, value from jsonb_each((device.dropped - array(select jsonb_array_elements_text(new.undropped))) || coalesce(new.dropped, '{}')) order by value ->> 'time' desc, key limit ${maxDroppedReasons}) as newest)`

/** Writes the changes in one statement and returns the resulting rows. */
export async function writeDeviceRows(db: Db, rows: PendingChange[]): Promise<ChangedDevice[]> {
  const now = Date.now() + 10_000
  // `Pick` is needed, because `execute` requires an index signature, which an interface lacks.
  const result = await db.execute<
    Pick<ChangedDevice, keyof ChangedDevice> & { reportedTime: string | null }
  >(sql`
    update device set
      revision = device.revision + 1,
      state = case when device.state = 'disabled' or not ${leavesGateway} then device.state else coalesce(new.state, device.state) end,
      via = case when new.leaves is not null and ${leavesGateway} then null when new.via is null then device.via else nullif(new.via, '')::uuid end,
      reported = device.reported || coalesce((select jsonb_object_agg(key, value) from jsonb_each(new.patch) where ${freshCondition}), '{}'),
      reported_at = device.reported_at || ${freshTimes},
      reported_time = greatest(device.reported_time, new.time),
      stale = case when new.rejoined or (device.state <> 'online' and new.state = 'online') then device.reported_at || ${freshTimes} else device.stale end
        - array(select key from jsonb_array_elements_text(new.heard) as said(key) where ${freshCondition}),
      desired = (device.desired - ${clearedIdentifiers}) || new.wish,
      wishes = (device.wishes - ${clearedIdentifiers}) || new.wishes,
      online_time = coalesce(new."onlineTime", device.online_time),
      address = coalesce(new.address, device.address),
      clock_offset_ms = case when new."tellsClock" then new."clockOffsetMs" else device.clock_offset_ms end,
      dropped = case when new.dropped is null and device.dropped = '{}' then device.dropped else ${newestDropped} end
    from jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ ...row, now, tellsClock: row.clockOffsetMs !== undefined })))}::jsonb)
      as new(id uuid, "projectId" integer, state text, patch jsonb, at jsonb, rejoined boolean, heard jsonb, wish jsonb, wishes jsonb, unwish jsonb,
        time timestamptz, "onlineTime" timestamptz, address text, via text, leaves uuid, now bigint, "tellsClock" boolean, "clockOffsetMs" bigint, dropped jsonb, undropped jsonb)
    where device.project_id = new."projectId" and device.id = new.id
    returning device.id, device.project_id as "projectId", device.state, device.reported, device.reported_time as "reportedTime", device.stale, device.desired, device.revision, device.space_id as "spaceId", device.floor_id as "floorId"`)
  return result.rows.map((row) => ({
    ...row,
    revision: Number(row.revision),
    reportedTime: row.reportedTime && new Date(row.reportedTime).toISOString(),
  }))
}
