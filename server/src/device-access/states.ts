import { EventEmitter } from 'node:events'
import type { DeviceState, LiveState, Values } from '@iot/shared/contract/device'
import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'

type Subject = { id: string; projectId: number }
type Pending = Subject & {
  state?: DeviceState
  patch: Values
  /** What is wished for from now on, by identifier, and by which task. */
  wish: Values
  wishes: Record<string, string>
  /** Tasks that wish for nothing any more. */
  unwish: string[]
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
        (row = { ...subjectOf(subject), patch: {}, wish: {}, wishes: {}, unwish: [] }),
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
            ...mergeWishes(row, newer),
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
    /** What a task asks of a device, beside what it says; the last one to ask for a value is the one who asks for it. */
    wish: (subject: Subject, task: string, values: Values) =>
      change(subject, (row) => {
        Object.assign(row.wish, values)
        for (const identifier of Object.keys(values)) row.wishes[identifier] = task
      }),
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

const subjectOf = ({ id, projectId }: Subject): Subject => ({ id, projectId })
type Wishes = Pick<Pending, 'wish' | 'wishes' | 'unwish'>
function mergeWishes(older: Wishes, newer?: Wishes): Wishes {
  const stays = Object.entries(older.wishes).filter(([, task]) => !newer?.unwish.includes(task))
  return {
    wish: {
      ...Object.fromEntries(stays.map(([identifier]) => [identifier, older.wish[identifier]!])),
      ...newer?.wish,
    },
    wishes: { ...Object.fromEntries(stays), ...newer?.wishes },
    unwish: [...older.unwish, ...(newer?.unwish ?? [])],
  }
}

const unwished = sql`array(select key from jsonb_each_text(device.wishes) where new.unwish ? value)`

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
      desired = (device.desired - ${unwished}) || new.wish,
      wishes = (device.wishes - ${unwished}) || new.wishes,
      online_time = coalesce(new."onlineTime", device.online_time),
      address = coalesce(new.address, device.address)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as new(id uuid, "projectId" integer, state text, patch jsonb, wish jsonb, wishes jsonb, unwish jsonb, time timestamptz, "onlineTime" timestamptz, address text)
    where device.project_id = new."projectId" and device.id = new.id
    returning device.id, device.project_id as "projectId", device.state, device.reported, device.reported_time as "reportedTime", device.desired`)
  return result.rows.map((row) => ({
    ...row,
    reportedTime: row.reportedTime && new Date(row.reportedTime).toISOString(),
  }))
}
