import { and, count, eq, gt, isNull, lte, max } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { withHealthTimeout } from '../../core/db/openDatabase'
import { session } from '../../tables/auth'
import { backupRun } from '../../tables/backup'
import { now } from '../../tables/columns'
import { device } from '../../tables/device'
import { notificationOutbox } from '../../tables/notification'
import { task } from '../../tables/task'

/**
 * Adds the metrics that are counted in the database. While it does not answer they are absent, because the last value
 * would look like a current one; `iot_database_up` is then 0 and the other metrics still answer.
 */
export function addDatabaseMetrics({ db, database }: FastifyInstance, registry: Registry) {
  const registers = [registry]
  new Gauge({
    name: 'iot_database_up',
    help: '1 if the database answers a query on a new connection',
    registers,
    async collect() {
      this.set(
        await database.ready().then(
          () => 1,
          () => 0,
        ),
      )
    },
  })

  const addQueriedGauge = (
    name: string,
    help: string,
    query: (metric: Gauge) => Promise<void>,
    labelNames: string[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        if (labelNames.length === 0) this.remove()
        await withHealthTimeout(query(this)).catch(() => {})
      },
    })
  addQueriedGauge('iot_sessions', 'Sessions that are signed in', async (metric) =>
    metric.set(await db.$count(session, and(isNull(session.ended), gt(session.expireTime, now())))),
  )
  addQueriedGauge('iot_tasks_running', 'Tasks that are not over', async (metric) =>
    metric.set(await db.$count(task, isNull(task.doneTime))),
  )
  addQueriedGauge(
    'iot_notifications_pending',
    'Notifications that are due and not sent',
    async (metric) =>
      metric.set(
        await db.$count(
          notificationOutbox,
          and(eq(notificationOutbox.status, 'pending'), lte(notificationOutbox.nextTime, now())),
        ),
      ),
  )
  addQueriedGauge(
    'iot_devices',
    'Devices by state',
    async (metric) => {
      const rows = await db
        .select({ state: device.state, devices: count() })
        .from(device)
        .groupBy(device.state)
      for (const { state, devices } of rows) metric.set({ state }, devices)
    },
    ['state'],
  )
  addQueriedGauge(
    'iot_backup_last_success_timestamp_seconds',
    'Start of the newest backup that succeeded, as a Unix time; absent if there is none',
    async (metric) => {
      const [row] = await db
        .select({ startTime: max(backupRun.startTime) })
        .from(backupRun)
        .where(eq(backupRun.state, 'succeeded'))
      if (row?.startTime) metric.set(Date.parse(row.startTime) / 1000)
    },
  )
}
