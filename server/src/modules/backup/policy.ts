import { backupApi } from '@iot/shared/contract/platform/backup.api'
import { hourMs } from '@iot/shared/contract/duration'
import type { Db } from '../../core/db/db'
import type { Context } from '../../core/http/context'
import type { BackupSettings } from '../../settings'
import { backupQueries, type BackupRow } from './queries'
import { getLastDueMs } from './schedule'

/** A scheduled backup that has not started this long after its time is overdue; a missed one is made up for sooner. */
const overdueAfterMs = 3 * hourMs

export type BackupProblem = { id: string; reason: string; since: string }

/** Returns what is wrong with the backups: the last one failed, or the schedule did not start one. */
export async function findBackupProblem(
  db: Db,
  settings: BackupSettings | undefined,
): Promise<BackupProblem | undefined> {
  return settings?.folder === undefined ? undefined : judgeStoredBackups(db, settings.at)
}

/** @param at time of the daily backup; undefined if none is scheduled, so that none is overdue */
export async function judgeStoredBackups(db: Db, at: string | undefined) {
  const { latest, lastSuccess } = await backupQueries(db).findLatest()
  return judgeBackups(latest, lastSuccess, at, Date.now())
}

/** @param latest newest runs, the newest first */
export function judgeBackups(
  latest: BackupRow[],
  lastSuccess: BackupRow | undefined,
  at: string | undefined,
  nowMs: number,
): BackupProblem | undefined {
  const lastEnded = latest.find(({ state }) => state !== 'running')
  if (lastEnded && lastEnded.state !== 'succeeded') {
    const { id, state, error, startTime } = lastEnded
    const what = state === 'failed' ? '失败' : '中断'
    return { id, reason: `最近一次备份${what}：${error}`, since: startTime }
  }
  if (at === undefined) return undefined
  const dueMs = getLastDueMs(at, nowMs)
  const isRunning = latest.some(({ state }) => state === 'running')
  if (!lastSuccess || isRunning || nowMs - dueMs < overdueAfterMs) return undefined
  if (Date.parse(lastSuccess.startTime) >= dueMs) return undefined
  return { id: lastSuccess.id, reason: '已过定时，没有备份', since: new Date(dueMs).toISOString() }
}

/** Backups concern the whole platform, so only those who may open their page hear of them. */
export const canSeeBackups = ({ can, projectScope }: Pick<Context, 'can' | 'projectScope'>) =>
  projectScope === 'all' && can(backupApi.page.permission)
