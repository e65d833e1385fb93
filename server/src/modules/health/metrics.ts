import { timingSafeEqual, createHash } from 'node:crypto'
import { and, count, gt, isNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { now } from '../../tables/columns'
import { session } from '../../tables/auth'
import { device } from '../../tables/device'
import { task } from '../../tables/task'

const local = /^(127\.|::1$|::ffff:127\.)/

/**
 * Serves Prometheus metrics: calls and their duration, sessions, devices, reports, messages, tasks, memory and event
 * loop
 * delay of this process. Access needs `METRICS_TOKEN`; if it is not set, only this machine may read them.
 */
export function serveMetrics(app: FastifyInstance) {
  const { db, settings } = app
  const register = new Registry()
  const registers = [register]
  // The library observes the process until it ends, so it starts only once the server listens.
  app.addHook('onListen', async () => collectDefaultMetrics({ register }))

  const calls = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Calls by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  app.addHook('onResponse', async ({ method, routeOptions: { url = 'none' } }, reply) =>
    calls.observe({ method, route: url, status: reply.statusCode }, reply.elapsedTime / 1000),
  )
  const reports = new Counter({
    name: 'iot_device_reports_total',
    help: 'Reports of devices this process took',
    registers,
  })
  const onReported = () => reports.inc()
  app.devices.states.events.on('reported', onReported)
  app.addHook('onClose', async () => void app.devices.states.events.off('reported', onReported))

  new Counter({
    name: 'iot_device_messages_total',
    help: 'Messages from and to devices by this process',
    labelNames: ['direction'],
    registers,
    collect() {
      this.reset()
      for (const [direction, count] of Object.entries(app.devices.messages.counts))
        this.inc({ direction }, count)
    },
  })

  const gauge = (name: string, help: string, read: (one: Gauge) => Promise<void>, label?: string) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: label ? [label] : [],
      collect() {
        return read(this)
      },
    })
  gauge('iot_sessions', 'Sessions that are signed in', async (one) =>
    one.set(await db.$count(session, and(isNull(session.ended), gt(session.expireTime, now())))),
  )
  gauge('iot_tasks_running', 'Tasks that are not over', async (one) =>
    one.set(await db.$count(task, isNull(task.doneTime))),
  )
  const byState = async (one: Gauge) => {
    const rows = await db
      .select({ state: device.state, devices: count() })
      .from(device)
      .groupBy(device.state)
    one.reset()
    for (const { state, devices } of rows) one.set({ state }, devices)
  }
  gauge('iot_devices', 'Devices by state', byState, 'state')

  const mayRead = ({ headers, ip }: FastifyRequest) =>
    settings.metricsToken
      ? timingSafeEqual(
          digest(headers.authorization ?? ''),
          digest(`Bearer ${settings.metricsToken}`),
        )
      : local.test(ip)
  app.get('/metrics', async (request, reply) =>
    mayRead(request)
      ? reply.type(register.contentType).send(await register.metrics())
      : reply.status(403).type('text/plain').send('403\n'),
  )
}

const digest = (text: string) => createHash('sha256').update(text).digest()
