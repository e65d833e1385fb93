import { randomUUID } from 'node:crypto'
import type { SnapshotSchedule } from '@iot/shared/contract/snapshot'
import { Cron } from 'croner'
import { transaction, type Db } from '../../core/db/db'
import { writeActionLog } from '../../core/serve/actionLog'
import { keepIfChanged } from './policy'
import { snapshotQueries } from './queries'

type Every = Exclude<SnapshotSchedule['every'], 'off'>
/** In Shanghai, whatever the server's zone: there nobody is at work. */
const patterns: Record<Every, string> = { daily: '0 3 * * *', weekly: '0 3 * * 1' }
const shanghai = 8 * 60

export const nextTimeOf = (every: Every, from = new Date()) =>
  new Cron(patterns[every], { utcOffset: shanghai, paused: true }).nextRun(from)!.toISOString()

const dayOf = (time: string) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Asia/Shanghai' }).format(
    new Date(time),
  )

/**
 * Keeps what is due. A project that is as its newest snapshot has it is not kept again; a moment that passed while nothing
 * ran is made good once.
 */
export async function keepByItself(db: Db, now = new Date()) {
  const due = await snapshotQueries(db).due(now.toISOString())
  for (const one of due) {
    const started = performance.now()
    await transaction(db, async (tx) => {
      const rows = snapshotQueries(tx)
      if (!(await rows.claim(one, nextTimeOf(one.every, now)))) return
      const { projectId, keep } = one
      if (!(await rows.project(projectId))) return void (await rows.endSchedule(projectId))
      const name = `${dayOf(now.toISOString())} 定时快照`
      const how = { most: keep, scheduled: true }
      const kept = await keepIfChanged(tx, projectId, name, '系统', how)
      if (!kept) return
      await writeActionLog(
        tx,
        {
          ...{ username: '系统', address: '', traceId: randomUUID(), verb: '定时拍摄快照' },
          duration: Math.round(performance.now() - started),
        },
        [{ entity: '项目快照', id: kept.id, name }],
      )
    })
  }
}
