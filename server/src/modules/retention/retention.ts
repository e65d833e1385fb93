import { hourMs } from '@iot/shared/contract/duration'
import { randomUUID } from 'node:crypto'
import { undecidedRecordDays, refusedRecordDays } from '@iot/shared/contract/device/registration'
import { and, eq, ne, not, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { runInBackground } from '../../core/db/outage'
import { writeActionLog } from '../../core/http/actionLog'
import { jobsLease } from '../../core/lease/members'
import { removeOldRequests } from '../../core/idempotency/idempotency'
import { removeOldHistory } from '../../core/db/historyPartitions'
import { defaultHistoryDays } from '../../device-access/history/history'
import { actionLog } from '../../tables/actionLog'
import { controlApproval, delayedControl } from '../../tables/control'
import { alarmIncident, alarmRuleLog } from '../../tables/alarm'
import { errorLog } from '../../tables/errorLog'
import { loginLog } from '../../tables/loginLog'
import { notificationDelivery, notificationOutbox } from '../../tables/notification'
import { registrationRecord } from '../../tables/registration'
import { sceneRun } from '../../tables/scene'
import { channelSubjectPrefix } from '../notification/policy'
import { retentionQueries } from './queries'

export type LogRetentionDays = { login: number; action: number; error: number }
export const defaultLogDays: LogRetentionDays = { login: 180, action: 365, error: 90 }

/**
 * Deletes logs and device reports beyond their retention once a day. It checks hourly, because a process may restart
 * before a daily timer fires.
 */
export function startRetention(app: FastifyInstance) {
  const queries = retentionQueries(app.db)
  const removeExpiredData = async () => {
    if (!app.leases.isHeld(jobsLease)) return
    await removeOldRequests(app.db)
    if (!(await queries.claimJob('retention', 23))) return
    await removeOldLogs(app.db, app.settings.logDays)
    await removeHistory(app.db, app.settings.historyDays)
    await removeEnergy(app.db)
  }
  const timer = setInterval(
    () => runInBackground(removeExpiredData(), '过期日志未清理'),
    hourMs,
  ).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * The end of an incident, or of a channel's failure, is told to those who were told of its beginning, however long it
 * lasts.
 */
const isSubjectOpen = sql`${notificationOutbox.subject} in (
  select id::text from alarm_incident where status <> 'resolved'
  union all select ${channelSubjectPrefix}::text || id from notification_channel
    where last_failure_time > coalesce(last_success_time, '-infinity'))`

/** Retention of notifications and of their delivery log in days. */
const notificationRetentionDays = 90

type RetainedTable = {
  entity: string
  table: PgTable & { id: PgColumn }
  time: PgColumn
  days: number
  /** Condition that limits the rows of the table. */
  only?: SQL
}

/** Deletes old log entries. Users cannot delete them, and each clean-up is recorded in the audit log. */
export async function removeOldLogs(db: Db, days: LogRetentionDays = defaultLogDays) {
  const queries = retentionQueries(db)
  const logs: RetainedTable[] = [
    { entity: '登录日志', table: loginLog, time: loginLog.time, days: days.login },
    { entity: '操作日志', table: actionLog, time: actionLog.time, days: days.action },
    { entity: '场景执行记录', table: sceneRun, time: sceneRun.createTime, days: days.action },
    {
      entity: '控制申请',
      table: controlApproval,
      time: controlApproval.createTime,
      days: days.action,
    },
    {
      entity: '延时控制',
      table: delayedControl,
      time: delayedControl.dueTime,
      days: days.action,
    },
    {
      entity: '告警',
      table: alarmIncident,
      time: alarmIncident.lastTime,
      days: days.action,
      only: eq(alarmIncident.status, 'resolved'),
    },
    { entity: '告警规则日志', table: alarmRuleLog, time: alarmRuleLog.time, days: days.action },
    {
      entity: '注册记录',
      table: registrationRecord,
      time: registrationRecord.lastTime,
      days: undecidedRecordDays,
      only: and(ne(registrationRecord.state, 'done'), eq(registrationRecord.decideBy, '')),
    },
    {
      entity: '注册记录',
      table: registrationRecord,
      time: registrationRecord.lastTime,
      days: refusedRecordDays,
      only: and(eq(registrationRecord.state, 'refused'), ne(registrationRecord.decideBy, '')),
    },
    {
      entity: '通知发送记录',
      table: notificationDelivery,
      time: notificationDelivery.time,
      days: notificationRetentionDays,
    },
    {
      entity: '通知',
      table: notificationOutbox,
      time: notificationOutbox.createTime,
      days: notificationRetentionDays,
      only: and(ne(notificationOutbox.status, 'pending'), not(isSubjectOpen)),
    },
    { entity: '错误日志', table: errorLog, time: errorLog.lastTime, days: days.error },
  ]
  for (const { entity, table, time, days, only } of logs) {
    const startMs = performance.now()
    const cutoffTime = new Date(Date.now() - days * 24 * hourMs).toISOString()
    const removedCount = await queries.removeOlder(table, time, cutoffTime, only)
    if (removedCount > 0)
      await logRemoval(db, entity, `${removedCount} 条，超过 ${days} 天`, startMs)
  }
}

/** Deletes device reports; the partition of a day is dropped as a whole if no project keeps it longer. */
export async function removeHistory(db: Db, defaultDays = defaultHistoryDays) {
  const startMs = performance.now()
  const projects = await retentionQueries(db).findHistoryDays()
  const { days, rows } = await removeOldHistory(db, { usual: defaultDays, projects })
  const removedText = [days > 0 && `${days} 天`, rows > 0 && `${rows} 条`]
    .filter(Boolean)
    .join('和')
  const limit = projects.size > 0 ? '各项目的保存天数' : `${defaultDays} 天`
  if (removedText)
    await logRemoval(
      db,
      '设备历史',
      `${removedText}，超过${projects.size > 0 ? '' : ' '}${limit}`,
      startMs,
    )
}

/** Retention of daily energy in days; the rows are small and are compared over years. */
const energyRetentionDays = 1100
export async function removeEnergy(db: Db) {
  const startMs = performance.now()
  const cutoffDay = new Date(Date.now() - energyRetentionDays * 24 * hourMs)
    .toISOString()
    .slice(0, 10)
  const removedCount = await retentionQueries(db).removeEnergy(cutoffDay)
  if (removedCount > 0)
    await logRemoval(db, '每日能耗', `${removedCount} 条，超过 ${energyRetentionDays} 天`, startMs)
}

function logRemoval(db: Db, entity: string, name: string, startMs: number) {
  const systemActor = {
    username: '系统',
    address: '',
    traceId: randomUUID(),
    verb: '清理过期日志',
    duration: Math.round(performance.now() - startMs),
  }
  return writeActionLog(db, systemActor, [{ entity, id: '', name }])
}
