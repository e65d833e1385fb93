import type { SnapshotSchedule } from '@iot/shared/contract/control/snapshot.schema'
import { Cron } from 'croner'
import type { Db } from '../../core/db/db'
import { readContent, hashContent } from './content'
import { maxSnapshotsBeforeChanges, snapshotQueries } from './queries'

type ScheduleInterval = Exclude<SnapshotSchedule['every'], 'off'>
/** Scheduled snapshots run at 3:00 local time of the project, when people rarely edit it. */
const cronPatterns: Record<ScheduleInterval, string> = { daily: '0 3 * * *', weekly: '0 3 * * 1' }

export const getNextTime = (interval: ScheduleInterval, timezone: string, from = new Date()) =>
  new Cron(cronPatterns[interval], { timezone, paused: true }).nextRun(from)!.toISOString()

/** Recalculates the next snapshot after the time zone of the project changed. */
export async function reschedule(db: Db, projectId: number, timeZone: string) {
  const queries = snapshotQueries(db)
  const row = await queries.findSchedule(projectId)
  if (row) await queries.setSchedule({ ...row, nextTime: getNextTime(row.every, timeZone) })
}

/** Takes an automatic snapshot, unless the newest one has the same content. */
export async function snapshotIfChanged(
  tx: Db,
  projectId: number,
  name: string,
  actor: string,
  options: { most: number; scheduled?: boolean },
) {
  const queries = snapshotQueries(tx)
  const content = await readContent(tx, projectId)
  const newest = await queries.readNewest(projectId)
  if (newest && hashContent(newest) === hashContent(content)) return
  return queries.saveSnapshot(projectId, name, content, actor, options)
}

/** Takes a snapshot before a bulk change of a project. */
export const snapshotBefore = (tx: Db, projectId: number, action: string, actor: string) =>
  snapshotIfChanged(tx, projectId, `${action}之前`.slice(0, 64), actor, {
    most: maxSnapshotsBeforeChanges,
  })
