import { EventEmitter } from 'node:events'
import { eq, and, isNull, sql } from 'drizzle-orm'
import type { DeviceState } from '@iot/shared/contract/device.schema'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createWriteBehind } from '../../core/db/writeBehind'
import type { TaskRow } from '../../core/tasks/queries'
import type { TaskRunner } from '../../core/tasks/taskRunner'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { updateOfflineIncidents, updateTaskIncidents } from '../../device-access/ingest/incidents'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { incident } from '../../tables/incident'
import { isOpenRun } from '../scene/policy'
import { shiftQueries } from './queries'

/** A device that returns within this many milliseconds does not cause an offline incident. */
const defaultSettleMs = 3000
/** Interval in milliseconds to find incidents that a process missed while it started or stopped. */
const sweepIntervalMs = 30_000
/** Delay in milliseconds before the first sweep, because devices reconnect one after the other after a start. */
const firstSweepDelayMs = 120_000

/** Devices and tasks to examine while the database is away. */
const maxPendingChecks = 100_000

/** A changed device, an ended task, or only a new count of incidents to publish. */
type PendingCheck =
  | { kind: 'device'; id: string }
  | { kind: 'task'; id: string; projectId: number }
  | { kind: 'count' }
export type ShiftOptions = { settleMs?: number }
export type OpenIncidentCount = { projectId: number; open: number }

/** Publishes the number of open incidents of the projects in which it may have changed. */
function createCountPublisher(db: Db, devices: DeviceAccess) {
  const events = new EventEmitter<{ changed: [OpenIncidentCount] }>()
  const changedProjectIds = new Set<number>()

  return {
    events,
    markChanged: (projectId: number) => changedProjectIds.add(projectId),
    async publishCounts() {
      for (const projectId of [...changedProjectIds]) {
        changedProjectIds.delete(projectId)
        try {
          const openCount = { projectId, open: await countOpen(db, projectId) }
          events.emit('changed', openCount)
          devices.processMessages.broadcast('shift', openCount)
        } catch {
          // A failed count is ignored, because pages read it again when the database is back.
        }
      }
    },
  }
}

/** Records incidents as they happen and publishes the number of open ones. */
export function openIncidentMonitor(
  db: Db,
  devices: DeviceAccess,
  tasks: TaskRunner,
  options: ShiftOptions = {},
) {
  const { events, markChanged, publishCounts } = createCountPublisher(db, devices)
  const waitMs = options.settleMs ?? defaultSettleMs
  /** Last known state of each device; most reports do not change it. */
  const lastStates = new Map<string, DeviceState>()
  const startTime = Date.now()
  const writer = createWriteBehind<PendingCheck>({
    name: '值班事件',
    delayMs: waitMs,
    retryDelayMs: waitMs + 1000,
    maxRows: maxPendingChecks,
    async write(checks) {
      try {
        const deviceIds = checks.flatMap((check) => (check.kind === 'device' ? [check.id] : []))
        if (deviceIds.length > 0)
          for (const id of await updateOfflineIncidents(db, deviceIds)) markChanged(id)
        for (const check of checks)
          if (check.kind === 'task' && (await updateTaskIncidents(db, check.projectId, check.id)))
            markChanged(check.projectId)
      } finally {
        await publishCounts()
      }
    },
  })

  async function sweepMissedIncidents() {
    if (Date.now() - startTime < firstSweepDelayMs || !devices.partitions.holdsAny()) return
    for (const id of await updateOfflineIncidents(db)) markChanged(id)
    for (const { id, projectId } of await shiftQueries(db).listRecentFailures())
      if (await updateTaskIncidents(db, projectId, id)) markChanged(projectId)
    await publishCounts()
  }

  const onChanged = (rows: ChangedDevice[]) => {
    for (const { id, state } of rows) {
      if (lastStates.get(id) === state) continue
      lastStates.set(id, state)
      writer.change(`device ${id}`, () => ({ kind: 'device', id }))
    }
  }
  const onTask = ({ kind, id, projectId, doneTime }: TaskRow) => {
    if (kind !== 'control' || !doneTime || projectId === null) return
    writer.change(`task ${id}`, () => ({ kind: 'task', id, projectId }), Math.min(waitMs, 500))
  }
  const onIncident = (projectId: number) => {
    markChanged(projectId)
    writer.change(`count ${projectId}`, () => ({ kind: 'count' }), Math.min(waitMs, 500))
  }
  const sweepTimer = setInterval(() => {
    writer.runInSequence(sweepMissedIncidents).catch((error) => logError('值班事件暂未核对', error))
  }, sweepIntervalMs).unref()
  devices.states.events.on('changed', onChanged).on('incident', onIncident)
  tasks.events.on('changed', onTask)

  return {
    events,
    /** Publishes the number of open incidents after a new or acknowledged one. */
    told: (projectId: number) => onIncident(projectId),
    flush: writer.flush,
    async close() {
      clearInterval(sweepTimer)
      devices.states.events.off('changed', onChanged).off('incident', onIncident)
      tasks.events.off('changed', onTask)
      await writer.close()
    },
  }
}
export type IncidentMonitor = ReturnType<typeof openIncidentMonitor>

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
