import { randomUUID } from 'node:crypto'
import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { transaction, type Db } from '../../core/db/db'
import { writeActionLog } from '../../core/http/actionLog'
import { snapshotIfChanged, getNextTime } from './policy'
import { snapshotQueries } from './queries'

/**
 * Takes due snapshots. A project that equals its newest snapshot is skipped. Several due times that were missed while
 * no
 * process ran are caught up with one snapshot.
 */
export async function takeDueSnapshots(db: Db, now = new Date()) {
  const dueSchedules = await snapshotQueries(db).listDue(now.toISOString())
  for (const schedule of dueSchedules) {
    const startTime = performance.now()
    await transaction(db, async (tx) => {
      const rows = snapshotQueries(tx)
      const { projectId, keep } = schedule
      const project = await rows.findProject(projectId)
      const timeZone = project?.timeZone ?? platformTimeZone
      if (!(await rows.claim(schedule, getNextTime(schedule.every, timeZone, now)))) return
      if (!project) return void (await rows.endSchedule(projectId))
      const name = `${toZonedDate(now, timeZone)} 定时快照`
      const options = { most: keep, scheduled: true }
      const savedSnapshot = await snapshotIfChanged(tx, projectId, name, '系统', options)
      if (!savedSnapshot) return
      await writeActionLog(
        tx,
        {
          username: '系统',
          address: '',
          traceId: randomUUID(),
          verb: '定时拍摄快照',
          duration: Math.round(performance.now() - startTime),
        },
        [{ entity: '项目快照', id: savedSnapshot.id, name }],
      )
    })
  }
}
