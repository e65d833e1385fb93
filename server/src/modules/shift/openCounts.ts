import { EventEmitter } from 'node:events'
import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createSequence } from '../../core/sequence'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { quietStatuses } from '../project/policy'
import { isOpenRun } from '../scene/policy'

/** Interval in milliseconds in which each process counts; what its own users change is counted at once. */
const defaultPollMs = 5000

export type ShiftOptions = { pollMs?: number }
export type OpenCount = { projectId: number; open: number }

/**
 * Counts unacknowledged incidents and scenes with unacknowledged runs. The incident of a scene is left out, because the
 * hand-over lists the scene itself. Projects that report no problems have none.
 */
async function countAll(db: Db) {
  const { rows } = await db.execute<OpenCount>(sql`
    select "projectId", sum(open)::int as open from (
      select project_id as "projectId", count(*) as open from alarm_incident
      where status = 'open' and subject_key not like 'scene:%' group by project_id
      union all
      select r.project_id, count(distinct r.scene_id) from scene_run r where ${isOpenRun} group by r.project_id) as counted
    where "projectId" not in (select id from project where status in (${quietStatuses}))
    group by "projectId"`)
  return new Map(rows.map(({ projectId, open }) => [Number(projectId), open]))
}

export const countOpen = async (db: Db, projectId: number) =>
  (await countAll(db)).get(projectId) ?? 0

/** Publishes the number of unacknowledged problems of each project to its pages. */
export function createOpenCounts(db: Db, devices: DeviceAccess, options: ShiftOptions = {}) {
  const events = new EventEmitter<{ changed: [OpenCount] }>()
  const runInSequence = createSequence()
  let lastCounts = new Map<number, number>()

  const publishChanges = (shouldBroadcast: boolean) =>
    runInSequence(async () => {
      const counts = await countAll(db)
      for (const projectId of new Set([...lastCounts.keys(), ...counts.keys()])) {
        const change = { projectId, open: counts.get(projectId) ?? 0 }
        if (change.open === (lastCounts.get(projectId) ?? 0)) continue
        events.emit('changed', change)
        if (shouldBroadcast) devices.processMessages.broadcast('shift', change)
      }
      lastCounts = counts
    }).catch((error: unknown) => logError('未确认的告警暂未统计', error))

  const timer = setInterval(
    () => void publishChanges(false),
    options.pollMs ?? defaultPollMs,
  ).unref()
  return {
    events,
    /** Publishes to the pages of every process what a user or a scene of this one has just changed. */
    publish: () => publishChanges(true),
    async close() {
      clearInterval(timer)
      await runInSequence(async () => {})
    },
  }
}
export type OpenCounts = ReturnType<typeof createOpenCounts>
