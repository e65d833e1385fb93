import { EventEmitter } from 'node:events'
import { eq, and, isNull, sql } from 'drizzle-orm'
import type { DeviceState } from '@iot/shared/contract/device'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import type { TaskRow } from '../../core/tasks/queries'
import type { Tasks } from '../../core/tasks/tasks'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { noteAbsences, noteResults } from '../../device-access/incidents'
import type { Changed } from '../../device-access/states'
import { incident } from '../../tables/incident'
import { isOpenRun } from '../scene/policy'
import { shiftQueries } from './queries'

/** A device that returns within this many milliseconds does not cause an offline incident. */
const settleAfter = 3000
/** Interval in milliseconds to find incidents that a process missed while it started or stopped. */
const sweepEvery = 30_000
/** Delay in milliseconds before the first sweep, because devices reconnect one after the other after a start. */
const firstSweep = 120_000

export type ShiftOptions = { settleAfter?: number }
export type Told = { projectId: number; open: number }

/** Records incidents as they happen and publishes the number of open ones. */
export function openShift(db: Db, devices: DeviceAccess, tasks: Tasks, options: ShiftOptions = {}) {
  const events = new EventEmitter<{ changed: [Told] }>()
  const wait = options.settleAfter ?? settleAfter
  /** Last known state of each device; most reports do not change it. */
  const known = new Map<string, DeviceState>()
  let moved = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let ended = new Map<string, number>()
  const changed = new Set<number>()
  let working: Promise<void> = Promise.resolve()
  const started = Date.now()

  const schedule = (after = wait) => (timer ??= setTimeout(() => void flush(), after))

  async function work() {
    clearTimeout(timer)
    timer = undefined
    const [ids, over] = [moved, ended]
    ;[moved, ended] = [new Set(), new Map()]
    try {
      if (ids.size > 0) for (const id of await noteAbsences(db, [...ids])) changed.add(id)
      for (const [taskId, projectId] of over)
        if (await noteResults(db, projectId, taskId)) changed.add(projectId)
    } catch (error) {
      complain('值班事件暂未写入', error)
      moved = new Set([...ids, ...moved])
      ended = new Map([...over, ...ended])
      schedule(wait + 1000)
    }
    await tell()
  }
  const flush = () => (working = working.then(work))

  async function tell() {
    for (const projectId of [...changed]) {
      changed.delete(projectId)
      try {
        const told = { projectId, open: await countOpen(db, projectId) }
        events.emit('changed', told)
        devices.siblings.tell('shift', told)
      } catch {
        // A failed count is ignored, because pages read it again when the database is back.
      }
    }
  }

  async function sweep() {
    if (Date.now() - started < firstSweep) return
    for (const id of await noteAbsences(db)) changed.add(id)
    for (const { id, projectId } of await shiftQueries(db).failedLately())
      if (await noteResults(db, projectId, id)) changed.add(projectId)
    await tell()
  }

  const onChanged = (rows: Changed[]) => {
    for (const { id, state } of rows) {
      if (known.get(id) === state) continue
      known.set(id, state)
      moved.add(id)
    }
    if (moved.size > 0) schedule()
  }
  const onTask = ({ kind, id, projectId, doneTime }: TaskRow) => {
    if (kind !== 'control' || !doneTime || projectId === null) return
    ended.set(id, projectId)
    schedule(Math.min(wait, 500))
  }
  const onIncident = (projectId: number) => {
    changed.add(projectId)
    schedule(Math.min(wait, 500))
  }
  const sweeping = setInterval(() => {
    working = working.then(sweep).catch((error) => complain('值班事件暂未核对', error))
  }, sweepEvery).unref()
  devices.states.events.on('changed', onChanged).on('incident', onIncident)
  tasks.events.on('changed', onTask)

  return {
    events,
    /** Publishes the number of open incidents after a new or acknowledged one. */
    told: (projectId: number) => onIncident(projectId),
    flush,
    async close() {
      clearInterval(sweeping)
      devices.states.events.off('changed', onChanged).off('incident', onIncident)
      tasks.events.off('changed', onTask)
      await flush()
      clearTimeout(timer)
    },
  }
}
export type Shift = ReturnType<typeof openShift>

/** Counts open incidents and scenes with unacknowledged runs. */
export async function countOpen(db: Db, projectId: number) {
  const [incidents, { rows }] = await Promise.all([
    db.$count(incident, and(eq(incident.projectId, projectId), isNull(incident.acknowledgedTime))),
    db.execute<{ scenes: number }>(sql`
      select count(distinct r.scene_id)::int as scenes from scene_run r
      where r.project_id = ${projectId} and ${isOpenRun}`),
  ])
  return incidents + rows[0]!.scenes
}
