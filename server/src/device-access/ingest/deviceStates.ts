import { EventEmitter } from 'node:events'
import type { DeviceState, LiveState, Values } from '@iot/shared/contract/device'
import { inArray, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { device } from '../../tables/device'
import { createDeviceClocks } from './deviceClock'
import { createHistoryWriter } from '../history/history'
import type { DeviceRef } from '../deviceRef'

/** Times are in ms and keyed by identifier. */
export type ValueTimes = Record<string, number>
type PendingChange = DeviceRef & {
  state?: DeviceState
  patch: Values
  /** Each value of the patch applies to the time given here. */
  at: ValueTimes
  /** The device reconnected: its earlier values are stale until it reports them again. */
  rejoined?: boolean
  /** These identifiers were reported since the reconnect. */
  heard: string[]
  /** Desired values by identifier, and the task that set each of them. */
  wish: Values
  wishes: Record<string, string>
  /** These tasks no longer desire any value. */
  unwish: string[]
  time?: string
  onlineTime?: string
  address?: string
  /** Clock offset in ms; null if the clock is right, undefined if it sent no time. */
  clockOffsetMs?: number | null
  dropped?: DroppedValues
  /** Identifiers that were stored again since their last drop. */
  undropped: string[]
  /** The device is logged in through this gateway; empty means a direct connection. */
  via?: string
  /** The device goes offline only if it is logged in through this gateway. */
  leaves?: string
}
export type ChangedDevice = LiveState & {
  projectId: number
  revision: number
  spaceId: string | null
  floorId: string | null
}

const flushIntervalMs = 100
const maxRowsPerWrite = 2000
/** Stored drop reasons per device; each identifier keeps its last one. */
const maxDroppedReasons = 20
/** A late value is dropped with a message for the device and a reason for the operator. */
const lateReasons = {
  older: ['tsl parse: time is before that of the present value', '比现在的值旧，没有替换它'],
  expired: ['tsl parse: time is before the history that is kept', '比历史的保存期还早，没有保存'],
} as const

/** Each dropped identifier has a reason and a time. */
export type DroppedValues = Record<string, { reason: string; time: string }>
/** A device with its stored clock offset and value times. */
type Reporter = DeviceRef & { clockOffsetMs?: number | null; reportedAt?: ValueTimes }
type ReportOptions = {
  /** Device times in ms, for values that carry one. */
  times?: ValueTimes
  /** Returns true if the value belongs in the history. */
  belongsInHistory?: (identifier: string) => boolean
  /** The values came on a history topic. */
  isHistory?: boolean
  /** Values of the message that were not stored, with reasons. */
  dropped?: Record<string, string>
}

/**
 * Writes reported values in batches, one statement each tenth of a second, and emits the resulting rows for the
 * browsers. Call `flush` before a read that must be current.
 */
export function createDeviceStates(db: Db, historyDays?: number) {
  const events = new EventEmitter<{
    changed: [ChangedDevice[]]
    reported: [DeviceRef, Values]
    offline: [DeviceRef]
    /** A device of this project reported an event that opened an incident. */
    incident: [projectId: number]
  }>()
  const history = createHistoryWriter(db, historyDays)
  const clocks = createDeviceClocks()
  /** Times of the current values of the devices heard by this process. */
  const timesByDevice = new LRUCache<string, ValueTimes>({ max: 50_000 })
  let pendingChanges = new Map<string, PendingChange>()
  let flushTimer: NodeJS.Timeout | undefined
  let lastWrite: Promise<void> = Promise.resolve()

  function updatePending({ id, projectId }: DeviceRef, apply: (row: PendingChange) => void) {
    let row = pendingChanges.get(id)
    if (!row)
      pendingChanges.set(
        id,
        (row = {
          id,
          projectId,
          patch: {},
          at: {},
          heard: [],
          wish: {},
          wishes: {},
          unwish: [],
          undropped: [],
        }),
      )
    apply(row)
    flushTimer ??= setTimeout(() => void flush(), flushIntervalMs)
  }

  async function writePending() {
    clearTimeout(flushTimer)
    flushTimer = undefined
    const changes = [...pendingChanges.values()]
    pendingChanges = new Map()
    for (let start = 0; start < changes.length; start += maxRowsPerWrite) {
      try {
        events.emit('changed', await writeRows(db, changes.slice(start, start + maxRowsPerWrite)))
      } catch (error) {
        // The database is away: newer changes are merged over those that could not be written.
        logError('设备状态暂未写入', error)
        for (const row of changes.slice(start)) {
          const newer = pendingChanges.get(row.id)
          pendingChanges.set(row.id, newer ? mergeChanges(row, newer) : row)
        }
        flushTimer ??= setTimeout(() => void flush(), 1000)
        return
      }
    }
    await history.write()
  }
  const flush = () =>
    (lastWrite = lastWrite.then(() => (pendingChanges.size > 0 ? writePending() : undefined)))

  return {
    events,
    flush,
    /** Returns the number of devices with unsaved changes. */
    countPending: () => pendingChanges.size,
    /**
     * Records a report. `deviceClock` judges its times; the `reported` event contains only values that may answer a
     * command.
     * @returns the reply message for each value that came too late
     */
    report(
      deviceRef: Reporter,
      values: Values,
      { times = {}, belongsInHistory = () => true, isHistory, dropped = {} }: ReportOptions = {},
    ) {
      const possibleAnswers: Values = {}
      const lateMessages: Record<string, string> = {}
      const latestTimes = timesByDevice.get(deviceRef.id) ?? { ...deviceRef.reportedAt }
      timesByDevice.set(deviceRef.id, latestTimes)
      updatePending(deviceRef, (row) => {
        const recordDrop = (identifier: string, reason: string) => {
          ;(row.dropped ??= {})[identifier] = { reason, time: new Date().toISOString() }
        }
        const recordLate = (identifier: string, [message, reason]: readonly [string, string]) => {
          lateMessages[identifier] = message
          recordDrop(identifier, reason)
        }
        for (const [identifier, value] of Object.entries(values)) {
          const judgement = clocks.judge(deviceRef, identifier, value, times[identifier], isHistory)
          const { at: valueTimeMs, isBeforeCommand, offsetMs } = judgement
          if (offsetMs !== undefined) row.clockOffsetMs = offsetMs
          const isStored =
            belongsInHistory(identifier) && history.add(deviceRef, identifier, value, valueTimeMs)
          if (!isBeforeCommand && !isHistory) possibleAnswers[identifier] = value
          // A stored time in the future, from a clock that was set back since, must not reject newer values.
          if (valueTimeMs < Math.min(latestTimes[identifier] ?? 0, Date.now())) {
            if (!isHistory) recordLate(identifier, lateReasons.older)
            else if (!isStored && belongsInHistory(identifier))
              recordLate(identifier, lateReasons.expired)
            continue
          }
          row.patch[identifier] = value
          latestTimes[identifier] = row.at[identifier] = valueTimeMs
          row.heard.push(identifier)
          if (row.dropped) delete row.dropped[identifier]
          row.undropped.push(identifier)
        }
        for (const [identifier, reason] of Object.entries(dropped)) recordDrop(identifier, reason)
        const latestTime = Math.max(...Object.values(row.at))
        if (Number.isFinite(latestTime)) row.time = new Date(latestTime).toISOString()
      })
      events.emit('reported', deviceRef, possibleAnswers)
      return lateMessages
    },
    /** Notes commands of another process, whose answers may come in the next reports. */
    recordCommand: clocks.recordCommand,
    /**
     * Emits a report of a device that another process handles, for control tasks that wait for it; nothing is stored.
     */
    observeReport(deviceRef: Reporter, values: Values, times: ValueTimes) {
      const possibleAnswers = Object.entries(values).filter(
        ([identifier, value]) =>
          !clocks.judge(deviceRef, identifier, value, times[identifier]).isBeforeCommand,
      )
      events.emit('reported', deviceRef, Object.fromEntries(possibleAnswers))
    },
    /** Sets the desired values of a task; the latest task owns the value. */
    setDesired(deviceRef: DeviceRef, task: string, values: Values) {
      clocks.recordCommand(deviceRef.id, values)
      updatePending(deviceRef, (row) => {
        Object.assign(row.wish, values)
        for (const identifier of Object.keys(values)) row.wishes[identifier] = task
      })
    },
    /** Clears the desired values of a task, unless another task has replaced them. */
    clearDesired: (deviceRef: DeviceRef, task: string) =>
      updatePending(deviceRef, (row) => {
        for (const [identifier, ownerTask] of Object.entries(row.wishes))
          if (ownerTask === task) {
            delete row.wish[identifier]
            delete row.wishes[identifier]
          }
        row.unwish.push(task)
      }),
    /** Marks a device as online because it sent a message. */
    markOnline: (deviceRef: DeviceRef) =>
      updatePending(deviceRef, (row) => {
        row.state = 'online'
        delete row.leaves
      }),
    /**
     * Marks a device as connected; its earlier values become stale until it reports them again. Without an address the
     * stored one is kept.
     */
    markConnected: (
      deviceRef: DeviceRef,
      { address, via = '' }: { address?: string; via?: string } = {},
    ) =>
      updatePending(deviceRef, (row) => {
        Object.assign(row, { state: 'online', rejoined: true, heard: [], via })
        row.onlineTime = new Date().toISOString()
        if (address) row.address = address
        delete row.leaves
      }),
    /** @param via the device goes offline only if it is logged in through this gateway */
    markOffline(deviceRef: DeviceRef, via?: string) {
      updatePending(deviceRef, (row) => {
        if (via && row.via !== undefined && row.via !== via) return
        row.state = 'offline'
        if (via) row.leaves = via
        else row.via = ''
      })
      events.emit('offline', deviceRef)
    },
    /** Marks values as stale that were reported before `since`, because reports may have been missed. */
    async markStale(ids: string[], since: number) {
      await flush()
      for (let start = 0; start < ids.length; start += maxRowsPerWrite)
        events.emit(
          'changed',
          await db
            .update(device)
            .set({
              revision: sql`${device.revision} + 1`,
              stale: sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(${device.reportedAt}) where value::bigint < ${since}), '{}')`,
            })
            .where(inArray(device.id, ids.slice(start, start + maxRowsPerWrite)))
            .returning(liveColumns),
        )
    },
    async close() {
      await flush()
      clearTimeout(flushTimer)
    },
  }
}
export type States = ReturnType<typeof createDeviceStates>

/** Columns that live events show of a device. */
export const liveColumns = {
  id: device.id,
  projectId: device.projectId,
  state: device.state,
  reported: device.reported,
  reportedTime: device.reportedTime,
  stale: device.stale,
  desired: device.desired,
  revision: device.revision,
  spaceId: device.spaceId,
  floorId: device.floorId,
}

const omitDropped = (dropped: DroppedValues = {}, identifiers: string[]) =>
  Object.fromEntries(Object.entries(dropped).filter(([name]) => !identifiers.includes(name)))

function mergeChanges(older: PendingChange, newer: PendingChange): PendingChange {
  const stillDesired = Object.entries(older.wishes).filter(
    ([, task]) => !newer.unwish.includes(task),
  )
  return {
    ...older,
    ...newer,
    patch: { ...older.patch, ...newer.patch },
    at: { ...older.at, ...newer.at },
    ...((older.dropped || newer.dropped) && {
      dropped: { ...omitDropped(older.dropped, newer.undropped), ...newer.dropped },
    }),
    undropped: [...older.undropped, ...newer.undropped],
    heard: newer.rejoined ? newer.heard : [...older.heard, ...newer.heard],
    wish: {
      ...Object.fromEntries(
        stillDesired.map(([identifier]) => [identifier, older.wish[identifier]!]),
      ),
      ...newer.wish,
    },
    wishes: { ...Object.fromEntries(stillDesired), ...newer.wishes },
    unwish: [...older.unwish, ...newer.unwish],
  }
}

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

async function writeRows(db: Db, rows: PendingChange[]): Promise<ChangedDevice[]> {
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
