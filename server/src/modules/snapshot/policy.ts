import type { SnapshotSchedule } from '@iot/shared/contract/snapshot'
import { Cron } from 'croner'
import type { Db } from '../../core/db/db'
import { contentOf, stateOf } from './content'
import { mostBeforeChanges, snapshotQueries } from './queries'

type Every = Exclude<SnapshotSchedule['every'], 'off'>
/** Cron patterns in the zone of the project, at an hour without work. */
const patterns: Record<Every, string> = { daily: '0 3 * * *', weekly: '0 3 * * 1' }

export const nextTimeOf = (every: Every, timezone: string, from = new Date()) =>
  new Cron(patterns[every], { timezone, paused: true }).nextRun(from)!.toISOString()

/** Moves the next scheduled snapshot after the zone of the project has changed. */
export async function reschedule(db: Db, projectId: number, timeZone: string) {
  const rows = snapshotQueries(db)
  const row = await rows.schedule(projectId)
  if (row) await rows.setSchedule({ ...row, nextTime: nextTimeOf(row.every, timeZone) })
}

/** Keeps a project as it stands by itself, unless its newest snapshot says the same. */
export async function keepIfChanged(
  tx: Db,
  projectId: number,
  name: string,
  by: string,
  how: { most: number; scheduled?: boolean },
) {
  const rows = snapshotQueries(tx)
  const content = await contentOf(tx, projectId)
  const newest = await rows.newest(projectId)
  if (newest && stateOf(newest) === stateOf(content)) return
  return rows.keep(projectId, name, content, by, how)
}

/** Before much of a project changes at once. */
export const keepBefore = (tx: Db, projectId: number, what: string, by: string) =>
  keepIfChanged(tx, projectId, `${what}之前`.slice(0, 64), by, { most: mostBeforeChanges })
