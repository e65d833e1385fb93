import { randomUUID } from 'node:crypto'
import { recordDays, refusalDays } from '@iot/shared/contract/registration'
import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import { writeActionLog } from '../../core/serve/actionLog'
import { removeOldRequests } from '../../core/serve/idempotency'
import { removeOldHistory } from '../../device-access/historyParts'
import { usualHistoryDays } from '../../device-access/history'
import { actionLog } from '../../tables/actionLog'
import { controlApproval } from '../../tables/control'
import { incident } from '../../tables/incident'
import { errorLog } from '../../tables/errorLog'
import { loginLog } from '../../tables/loginLog'
import { registrationRecord } from '../../tables/registration'
import { sceneRun } from '../../tables/scene'
import { retentionQueries } from './queries'

/** Retention of each log in days. */
export type LogDays = { login: number; action: number; error: number }
export const usualLogDays: LogDays = { login: 180, action: 365, error: 90 }

const hour = 3600_000

/**
 * Deletes logs and device reports beyond their retention once a day. It checks hourly, because a process may restart
 * before a daily timer fires.
 */
export function retention(app: FastifyInstance) {
  const queries = retentionQueries(app.db)
  const run = async () => {
    await removeOldRequests(app.db)
    if (!(await queries.claim('retention', 23))) return
    await removeOldLogs(app.db, app.settings.logDays)
    await removeHistory(app.db, app.settings.historyDays)
    await removeEnergy(app.db)
  }
  const timer = setInterval(
    () => run().catch((error) => complain('过期日志未清理', error)),
    hour,
  ).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

type Log = {
  entity: string
  table: PgTable & { id: PgColumn }
  time: PgColumn
  days: number
  /** Condition that limits the rows of the table. */
  only?: SQL
}

/** Deletes old log entries. Users cannot delete them, and each clean-up is recorded in the audit log. */
export async function removeOldLogs(db: Db, days: LogDays = usualLogDays) {
  const queries = retentionQueries(db)
  const logs: Log[] = [
    { entity: '登录日志', table: loginLog, time: loginLog.time, days: days.login },
    { entity: '操作日志', table: actionLog, time: actionLog.time, days: days.action },
    { entity: '场景执行记录', table: sceneRun, time: sceneRun.createTime, days: days.action },
    {
      entity: '控制申请',
      table: controlApproval,
      time: controlApproval.createTime,
      days: days.action,
    },
    { entity: '设备事件', table: incident, time: incident.lastTime, days: days.action },
    {
      entity: '注册记录',
      table: registrationRecord,
      time: registrationRecord.lastTime,
      days: recordDays,
      only: and(ne(registrationRecord.state, 'done'), eq(registrationRecord.decideBy, '')),
    },
    {
      entity: '注册记录',
      table: registrationRecord,
      time: registrationRecord.lastTime,
      days: refusalDays,
      only: and(eq(registrationRecord.state, 'refused'), ne(registrationRecord.decideBy, '')),
    },
    { entity: '错误日志', table: errorLog, time: errorLog.lastTime, days: days.error },
  ]
  for (const { entity, table, time, days, only } of logs) {
    const started = performance.now()
    const before = new Date(Date.now() - days * 24 * hour).toISOString()
    const gone = await queries.removeOlder(table, time, before, only)
    if (gone > 0) await say(db, entity, `${gone} 条，超过 ${days} 天`, started)
  }
}

/** Deletes device reports; the partition of a day is dropped as a whole if no project keeps it longer. */
export async function removeHistory(db: Db, usual = usualHistoryDays) {
  const started = performance.now()
  const projects = await retentionQueries(db).historyDays()
  const { days, rows } = await removeOldHistory(db, { usual, projects })
  const gone = [days > 0 && `${days} 天`, rows > 0 && `${rows} 条`].filter(Boolean).join('和')
  const limit = projects.size > 0 ? '各项目的保存天数' : `${usual} 天`
  if (gone)
    await say(db, '设备历史', `${gone}，超过${projects.size > 0 ? '' : ' '}${limit}`, started)
}

/** Retention of daily energy in days; the rows are small and are compared over years. */
const energyDays = 1100
export async function removeEnergy(db: Db) {
  const started = performance.now()
  const before = new Date(Date.now() - energyDays * 24 * hour).toISOString().slice(0, 10)
  const gone = await retentionQueries(db).removeEnergy(before)
  if (gone > 0) await say(db, '每日能耗', `${gone} 条，超过 ${energyDays} 天`, started)
}

function say(db: Db, entity: string, name: string, started: number) {
  const doer = {
    username: '系统',
    address: '',
    traceId: randomUUID(),
    verb: '清理过期日志',
    duration: Math.round(performance.now() - started),
  }
  return writeActionLog(db, doer, [{ entity, id: '', name }])
}
