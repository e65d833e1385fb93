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

/** By identifier, milliseconds. */
export type Times = Record<string, number>
type Pending = Subject & {
  state?: DeviceState
  patch: Values
  /** Of when each value of the patch is. */
  at: Times
  /** It came back: what it said before is of its time until it says it again. */
  rejoined?: boolean
  /** What it has said since it came back. */
  heard: string[]
  /** What is wished for from now on, by identifier, and by which task. */
  wish: Values
  wishes: Record<string, string>
  /** Tasks that wish for nothing any more. */
  unwish: string[]
  time?: string
  onlineTime?: string
  address?: string
  /** Offset of the device's clock; null where it is right, undefined where the message carried no time. */
  clockOffsetMs?: number | null
  dropped?: Dropped
  /** Names that were kept since. */
  undropped: string[]
  /** The gateway it is signed in over; empty when over none. */
  via?: string
  /** It leaves only where it is signed in over this gateway. */
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
/** Reasons kept of a device, the last for each name. */
const maxDropped = 20
/** Why a value is not taken for what its time is: to the device, and to an operator. */
const lateReasons = {
  older: ['tsl parse: time is before that of the present value', '比现在的值旧，没有替换它'],
  gone: ['tsl parse: time is before the history that is kept', '比历史的保存期还早，没有保存'],
} as const

/** Reason and time of the last dropped value, by identifier. */
export type Dropped = Record<string, { reason: string; time: string }>
/** A device, and what was written down of it when it was last read. */
type Reporter = Subject & { clockOffsetMs?: number | null; reportedAt?: Times }
type ReportOptions = {
  /** Timestamps in milliseconds of the values that carried one. */
  times?: Times
  /** Tells for an identifier if its values belong to the history. */
  keeps?: (identifier: string) => boolean
  /** It came on a topic for what was not sent in time. */
  isHistory?: boolean
  /** Reasons, by identifier, of the values of this message that were not kept. */
  dropped?: Record<string, string>
}

/**
 * What devices report on its way into the database: one write each tenth of a second for all of them, answered with the
 * rows as they then stand, which is what browsers are shown. `flush` before reading what must be of this moment.
 */
export function openStates(db: Db, historyDays?: number) {
  const events = new EventEmitter<{
    changed: [Changed[]]
    reported: [Subject, Values]
    offline: [Subject]
    /** In this project a device said something that somebody is to see. */
    incident: [projectId: number]
  }>()
  const history = openHistory(db, historyDays)
  const clocks = createDeviceClocks()
  /** Timestamps of the current values of devices whose messages this process received. */
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
        // The database is away: what came since wins over what could not be written.
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
    /** Of how many devices something is not written down yet. */
    waiting: () => pending.size,
    /**
     * A device says what it is. Times are judged by `deviceClock`; whoever waits for an answer hears only what may be one.
     * @returns by identifier, what the device is answered of values that come too late
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
          // A stamp of the future, of a clock put back since, bars nobody.
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
    /** Another process sent these: what the device reports next may be the answer. */
    noteCommand: clocks.noteCommand,
    /** The same of a device that another process works on: only who waits for an answer is told. */
    overhear(subject: Reporter, values: Values, times: Times) {
      const answers = Object.entries(values).filter(
        ([identifier, value]) =>
          !clocks.judge(subject, identifier, value, times[identifier]).isBeforeCommand,
      )
      events.emit('reported', subject, Object.fromEntries(answers))
    },
    /** What a task asks of a device, beside what it says; the last one to ask for a value is the one who asks for it. */
    wish(subject: Subject, task: string, values: Values) {
      clocks.noteCommand(subject.id, values)
      change(subject, (row) => {
        Object.assign(row.wish, values)
        for (const identifier of Object.keys(values)) row.wishes[identifier] = task
      })
    },
    /** A task asks for nothing any more; what another asked for since stays. */
    unwish: (subject: Subject, task: string) =>
      change(subject, (row) => {
        for (const [identifier, by] of Object.entries(row.wishes))
          if (by === task) {
            delete row.wish[identifier]
            delete row.wishes[identifier]
          }
        row.unwish.push(task)
      }),
    /** It is there: it spoke. */
    online: (subject: Subject) =>
      change(subject, (row) => {
        row.state = 'online'
        delete row.leaves
      }),
    /** It came, or came back: until it speaks, what it said before is of its time. Without an address the last one stays. */
    join: (subject: Subject, { address, via = '' }: { address?: string; via?: string } = {}) =>
      change(subject, (row) => {
        Object.assign(row, { state: 'online', rejoined: true, heard: [], via })
        row.onlineTime = new Date().toISOString()
        if (address) row.address = address
        delete row.leaves
      }),
    /** @param via only where it is signed in over this gateway */
    offline(subject: Subject, via?: string) {
      change(subject, (row) => {
        if (via && row.via !== undefined && row.via !== via) return
        row.state = 'offline'
        if (via) row.leaves = via
        else row.via = ''
      })
      events.emit('offline', subject)
    },
    /** Nobody listened to these devices since: what they said before is of its time. */
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

/** What is shown of a device. */
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

/** Values older than those that stand there stay out; a stamp of the future, of a clock put back since, bars nobody. */
const fresh = sql`(new.at ->> key)::bigint >= coalesce(nullif(least((device.reported_at ->> key)::bigint, new.now), new.now), 0)`
const freshAt = sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(new.at) where ${fresh}), '{}')`
const unwished = sql`array(select key from jsonb_each_text(device.wishes) where new.unwish ? value)`
const leaves = sql`(new.leaves is null or device.via = new.leaves)`

/** The newest reasons: a device may name a new identifier in each message. */
const keptDropped = sql`(select coalesce(jsonb_object_agg(key, value), '{}') from (
  select key, value from jsonb_each((device.dropped - array(select jsonb_array_elements_text(new.undropped))) || coalesce(new.dropped, '{}')) order by value ->> 'time' desc, key limit ${maxDropped}) as newest)`

async function writeRows(db: Db, rows: Pending[]): Promise<Changed[]> {
  const now = Date.now() + 10_000
  // Picked, because `execute` wants an index signature, which an interface has not.
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
