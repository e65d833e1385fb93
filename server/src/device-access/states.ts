import { EventEmitter } from 'node:events'
import type { DeviceState, LiveState, Values } from '@iot/shared/contract/device'
import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'

type Subject = { id: string; projectId: number }
type Wish = Record<string, Values[string] | null>
type Pending = Subject & {
  state?: DeviceState
  patch: Values
  /** By identifier what is wished for from now on; null when nothing is any more. */
  wish: Wish
  time?: string
  onlineTime?: string
  address?: string
}
export type Changed = LiveState & { projectId: number }

const every = 100
const rowsPerWrite = 2000

/**
 * What devices report on its way into the database: one write each tenth of a second for all of them, answered with the
 * rows as they then stand, which is what browsers are shown. `flush` before reading what must be of this moment.
 */
export function openStates(db: Db) {
  const events = new EventEmitter<{
    changed: [Changed[]]
    reported: [Subject, Values]
    offline: [Subject]
  }>()
  let pending = new Map<string, Pending>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function change(subject: Subject, apply: (row: Pending) => void) {
    let row = pending.get(subject.id)
    if (!row)
      pending.set(
        subject.id,
        (row = { id: subject.id, projectId: subject.projectId, patch: {}, wish: {} }),
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
          pending.set(row.id, {
            ...row,
            ...newer,
            patch: { ...row.patch, ...newer?.patch },
            wish: { ...row.wish, ...newer?.wish },
          })
        }
        timer ??= setTimeout(() => void flush(), 1000)
        return
      }
    }
  }
  const flush = () => (writing = writing.then(() => (pending.size > 0 ? write() : undefined)))

  return {
    events,
    flush,
    /** A device says what it is. */
    report(subject: Subject, values: Values) {
      change(subject, (row) => {
        row.patch = { ...row.patch, ...values }
        row.time = new Date().toISOString()
      })
      events.emit('reported', subject, values)
    },
    /** What is asked of a device, beside what it says; null when the asking is over. */
    wish: (subject: Subject, wish: Wish) =>
      change(subject, (row) => (row.wish = { ...row.wish, ...wish })),
    /** Without an address the last one stays. */
    online: (subject: Subject, address?: string) =>
      change(subject, (row) =>
        Object.assign(row, {
          state: 'online',
          onlineTime: new Date().toISOString(),
          ...(address && { address }),
        }),
      ),
    offline(subject: Subject) {
      change(subject, (row) => (row.state = 'offline'))
      events.emit('offline', subject)
    },
    async close() {
      await flush()
      clearTimeout(timer)
    },
  }
}
export type States = ReturnType<typeof openStates>

async function writeRows(db: Db, rows: Pending[]): Promise<Changed[]> {
  const result = await db.execute<{
    id: string
    projectId: number
    state: DeviceState
    reported: Values
    reportedTime: string | null
    desired: Values
  }>(sql`
    update device set
      state = case when device.state = 'disabled' then device.state else coalesce(new.state, device.state) end,
      reported = device.reported || new.patch,
      reported_time = coalesce(new.time, device.reported_time),
      desired = jsonb_strip_nulls(device.desired || new.wish),
      online_time = coalesce(new."onlineTime", device.online_time),
      address = coalesce(new.address, device.address)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as new(id uuid, "projectId" integer, state text, patch jsonb, wish jsonb, time timestamptz, "onlineTime" timestamptz, address text)
    where device.project_id = new."projectId" and device.id = new.id
    returning device.id, device.project_id as "projectId", device.state, device.reported, device.reported_time as "reportedTime", device.desired`)
  return result.rows.map((row) => ({
    ...row,
    reportedTime: row.reportedTime && new Date(row.reportedTime).toISOString(),
  }))
}
