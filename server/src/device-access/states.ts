import { EventEmitter } from 'node:events'
import type { DeviceState, LiveState, Values } from '@iot/shared/contract/device'
import { inArray, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'
import { device } from '../tables/device'
import { createDeviceClocks } from './deviceClock'
import { openHistory } from './history'
import type { Subject } from './subject'

/** Times are in ms and keyed by identifier. */
export type Times = Record<string, number>
type Pending = Subject & {
  state?: DeviceState
  patch: Values
  /** Each value of the patch applies to the time given here. */
  at: Times
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
  dropped?: Dropped
  /** Identifiers that were stored again since their last drop. */
  undropped: string[]
  /** The device is logged in through this gateway; empty means a direct connection. */
  via?: string
  /** The device goes offline only if it is logged in through this gateway. */
  leaves?: string
}
export type Changed = LiveState & {
  projectId: number
  revision: number
  spaceId: string | null
  floorId: string | null
}

const every = 100
const rowsPerWrite = 2000
/** Stored drop reasons per device; each identifier keeps its last one. */
const maxDropped = 20
/** A late value is dropped with a message for the device and a reason for the operator. */
const lateReasons = {
  older: ['tsl parse: time is before that of the present value', '比现在的值旧，没有替换它'],
  gone: ['tsl parse: time is before the history that is kept', '比历史的保存期还早，没有保存'],
} as const

/** Each dropped identifier has a reason and a time. */
export type Dropped = Record<string, { reason: string; time: string }>
/** A device with its stored clock offset and value times. */
type Reporter = Subject & { clockOffsetMs?: number | null; reportedAt?: Times }
type ReportOptions = {
  /** Device times in ms, for values that carry one. */
  times?: Times
  /** Returns true if the value belongs in the history. */
  keeps?: (identifier: string) => boolean
  /** The values came on a history topic. */
  isHistory?: boolean
  /** Values of the message that were not stored, with reasons. */
  dropped?: Record<string, string>
}

/**
 * Writes reported values in batches, one statement each tenth of a second, and emits the resulting rows for the
 * browsers. Call `flush` before a read that must be current.
 */
export function openStates(db: Db, historyDays?: number) {
  const events = new EventEmitter<{
    changed: [Changed[]]
    reported: [Subject, Values]
    offline: [Subject]
    /** A device of this project reported an event that opened an incident. */
    incident: [projectId: number]
  }>()
  const history = openHistory(db, historyDays)
  const clocks = createDeviceClocks()
  /** Times of the current values of the devices heard by this process. */
  const standing = new LRUCache<string, Times>({ max: 50_000 })
  let pending = new Map<string, Pending>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function change({ id, projectId }: Subject, apply: (row: Pending) => void) {
    let row = pending.get(id)
    if (!row)
      pending.set(
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
    timer ??= setTimeout(() => void flush(), every)
  }

  async function write() {
    clearTimeout(timer)
    timer = undefined
    const rows = [...pending.values()]
    pending = new Map()
    for (let start = 0; start < rows.length; start += rowsPerWrite) {
      try {
        events.emit('changed', await writeRows(db, rows.slice(start, start + rowsPerWrite)))
      } catch (error) {
        // The database is away: newer changes are merged over those that could not be written.
        complain('设备状态暂未写入', error)
        for (const row of rows.slice(start)) {
          const newer = pending.get(row.id)
          pending.set(row.id, newer ? merge(row, newer) : row)
        }
        timer ??= setTimeout(() => void flush(), 1000)
        return
      }
    }
    await history.write()
  }
  const flush = () => (writing = writing.then(() => (pending.size > 0 ? write() : undefined)))

  return {
    events,
    flush,
    /** Returns the number of devices with unsaved changes. */
    waiting: () => pending.size,
    /**
     * Records a report. `deviceClock` judges its times; the `reported` event contains only values that may answer a
     * command.
     * @returns the reply message for each value that came too late
     */
    report(
      subject: Reporter,
      values: Values,
      { times = {}, keeps = () => true, isHistory, dropped = {} }: ReportOptions = {},
    ) {
      const answers: Values = {}
      const late: Record<string, string> = {}
      const latest = standing.get(subject.id) ?? { ...subject.reportedAt }
      standing.set(subject.id, latest)
      change(subject, (row) => {
        const drop = (identifier: string, reason: string) => {
          ;(row.dropped ??= {})[identifier] = { reason, time: new Date().toISOString() }
        }
        const dropLate = (identifier: string, [message, reason]: readonly [string, string]) => {
          late[identifier] = message
          drop(identifier, reason)
        }
        for (const [identifier, value] of Object.entries(values)) {
          const judged = clocks.judge(subject, identifier, value, times[identifier], isHistory)
          const { at, isBeforeCommand, offsetMs } = judged
          if (offsetMs !== undefined) row.clockOffsetMs = offsetMs
          const isKept = keeps(identifier) && history.add(subject, identifier, value, at)
          if (!isBeforeCommand && !isHistory) answers[identifier] = value
          // A stored time in the future, from a clock that was set back since, must not reject newer values.
          if (at < Math.min(latest[identifier] ?? 0, Date.now())) {
            if (!isHistory) dropLate(identifier, lateReasons.older)
            else if (!isKept && keeps(identifier)) dropLate(identifier, lateReasons.gone)
            continue
          }
          row.patch[identifier] = value
          latest[identifier] = row.at[identifier] = at
          row.heard.push(identifier)
          if (row.dropped) delete row.dropped[identifier]
          row.undropped.push(identifier)
        }
        for (const [identifier, reason] of Object.entries(dropped)) drop(identifier, reason)
        const last = Math.max(...Object.values(row.at))
        if (Number.isFinite(last)) row.time = new Date(last).toISOString()
      })
      events.emit('reported', subject, answers)
      return late
    },
    /** Notes commands of another process, whose answers may come in the next reports. */
    noteCommand: clocks.noteCommand,
    /**
     * Emits a report of a device that another process handles, for control tasks that wait for it; nothing is stored.
     */
    overhear(subject: Reporter, values: Values, times: Times) {
      const answers = Object.entries(values).filter(
        ([identifier, value]) =>
          !clocks.judge(subject, identifier, value, times[identifier]).isBeforeCommand,
      )
      events.emit('reported', subject, Object.fromEntries(answers))
    },
    /** Sets the desired values of a task; the latest task owns the value. */
    wish(subject: Subject, task: string, values: Values) {
      clocks.noteCommand(subject.id, values)
      change(subject, (row) => {
        Object.assign(row.wish, values)
        for (const identifier of Object.keys(values)) row.wishes[identifier] = task
      })
    },
    /** Clears the desired values of a task, unless another task has replaced them. */
    unwish: (subject: Subject, task: string) =>
      change(subject, (row) => {
        for (const [identifier, by] of Object.entries(row.wishes))
          if (by === task) {
            delete row.wish[identifier]
            delete row.wishes[identifier]
          }
        row.unwish.push(task)
      }),
    /** Marks a device as online because it sent a message. */
    online: (subject: Subject) =>
      change(subject, (row) => {
        row.state = 'online'
        delete row.leaves
      }),
    /**
     * Marks a device as connected; its earlier values become stale until it reports them again. Without an address the
     * stored one is kept.
     */
    join: (subject: Subject, { address, via = '' }: { address?: string; via?: string } = {}) =>
      change(subject, (row) => {
        Object.assign(row, { state: 'online', rejoined: true, heard: [], via })
        row.onlineTime = new Date().toISOString()
        if (address) row.address = address
        delete row.leaves
      }),
    /** @param via the device goes offline only if it is logged in through this gateway */
    offline(subject: Subject, via?: string) {
      change(subject, (row) => {
        if (via && row.via !== undefined && row.via !== via) return
        row.state = 'offline'
        if (via) row.leaves = via
        else row.via = ''
      })
      events.emit('offline', subject)
    },
    /** Marks values as stale that were reported before `since`, because reports may have been missed. */
    async unsure(ids: string[], since: number) {
      await flush()
      for (let start = 0; start < ids.length; start += rowsPerWrite)
        events.emit(
          'changed',
          await db
            .update(device)
            .set({
              revision: sql`${device.revision} + 1`,
              stale: sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(${device.reportedAt}) where value::bigint < ${since}), '{}')`,
            })
            .where(inArray(device.id, ids.slice(start, start + rowsPerWrite)))
            .returning(liveColumns),
        )
    },
    async close() {
      await flush()
      clearTimeout(timer)
    },
  }
}
export type States = ReturnType<typeof openStates>

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

const without = (dropped: Dropped = {}, names: string[]) =>
  Object.fromEntries(Object.entries(dropped).filter(([name]) => !names.includes(name)))

function merge(older: Pending, newer: Pending): Pending {
  const stays = Object.entries(older.wishes).filter(([, task]) => !newer.unwish.includes(task))
  return {
    ...older,
    ...newer,
    patch: { ...older.patch, ...newer.patch },
    at: { ...older.at, ...newer.at },
    ...((older.dropped || newer.dropped) && {
      dropped: { ...without(older.dropped, newer.undropped), ...newer.dropped },
    }),
    undropped: [...older.undropped, ...newer.undropped],
    heard: newer.rejoined ? newer.heard : [...older.heard, ...newer.heard],
    wish: {
      ...Object.fromEntries(stays.map(([identifier]) => [identifier, older.wish[identifier]!])),
      ...newer.wish,
    },
    wishes: { ...Object.fromEntries(stays), ...newer.wishes },
    unwish: [...older.unwish, ...newer.unwish],
  }
}

/**
 * Selects values that are not older than the stored ones; a stored time in the future, from a clock that was set back
 * since, does not reject them.
 */
const fresh = sql`(new.at ->> key)::bigint >= coalesce(nullif(least((device.reported_at ->> key)::bigint, new.now), new.now), 0)`
const freshAt = sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(new.at) where ${fresh}), '{}')`
const unwished = sql`array(select key from jsonb_each_text(device.wishes) where new.unwish ? value)`
const leaves = sql`(new.leaves is null or device.via = new.leaves)`

/** The newest reasons alone are stored, because a device may invent a new identifier in each message. */
const keptDropped = sql`(select coalesce(jsonb_object_agg(key, value), '{}') from (
  select key, value from jsonb_each((device.dropped - array(select jsonb_array_elements_text(new.undropped))) || coalesce(new.dropped, '{}')) order by value ->> 'time' desc, key limit ${maxDropped}) as newest)`

async function writeRows(db: Db, rows: Pending[]): Promise<Changed[]> {
  const now = Date.now() + 10_000
  // `Pick` is needed, because `execute` requires an index signature, which an interface lacks.
  const result = await db.execute<
    Pick<Changed, keyof Changed> & { reportedTime: string | null }
  >(sql`
    update device set
      revision = device.revision + 1,
      state = case when device.state = 'disabled' or not ${leaves} then device.state else coalesce(new.state, device.state) end,
      via = case when new.leaves is not null and ${leaves} then null when new.via is null then device.via else nullif(new.via, '')::uuid end,
      reported = device.reported || coalesce((select jsonb_object_agg(key, value) from jsonb_each(new.patch) where ${fresh}), '{}'),
      reported_at = device.reported_at || ${freshAt},
      reported_time = greatest(device.reported_time, new.time),
      stale = case when new.rejoined or (device.state <> 'online' and new.state = 'online') then device.reported_at || ${freshAt} else device.stale end
        - array(select key from jsonb_array_elements_text(new.heard) as said(key) where ${fresh}),
      desired = (device.desired - ${unwished}) || new.wish,
      wishes = (device.wishes - ${unwished}) || new.wishes,
      online_time = coalesce(new."onlineTime", device.online_time),
      address = coalesce(new.address, device.address),
      clock_offset_ms = case when new."tellsClock" then new."clockOffsetMs" else device.clock_offset_ms end,
      dropped = case when new.dropped is null and device.dropped = '{}' then device.dropped else ${keptDropped} end
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
