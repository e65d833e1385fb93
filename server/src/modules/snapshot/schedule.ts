import { randomUUID } from 'node:crypto'
import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { transaction, type Db } from '../../core/db/db'
import { writeActionLog } from '../../core/serve/actionLog'
import { keepIfChanged, nextTimeOf } from './policy'
import { snapshotQueries } from './queries'

/**
 * Takes due snapshots. A project that equals its newest snapshot is skipped. Several due times that were missed while
 * no
 * process ran are caught up with one snapshot.
 */
export async function keepByItself(db: Db, now = new Date()) {
  const due = await snapshotQueries(db).due(now.toISOString())
  for (const one of due) {
    const started = performance.now()
    await transaction(db, async (tx) => {
      const rows = snapshotQueries(tx)
      const { projectId, keep } = one
      const project = await rows.project(projectId)
      const timeZone = project?.timeZone ?? platformTimeZone
      if (!(await rows.claim(one, nextTimeOf(one.every, timeZone, now)))) return
      if (!project) return void (await rows.endSchedule(projectId))
      const name = `${toZonedDate(now, timeZone)} 定时快照`
      const how = { most: keep, scheduled: true }
      const kept = await keepIfChanged(tx, projectId, name, '系统', how)
      if (!kept) return
      await writeActionLog(
        tx,
        {
          username: '系统',
          address: '',
          traceId: randomUUID(),
          verb: '定时拍摄快照',
          duration: Math.round(performance.now() - started),
        },
        [{ entity: '项目快照', id: kept.id, name }],
      )
    })
  }
}
