import { timingSafeEqual, createHash } from 'node:crypto'
import { and, count, gt, isNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { now } from '../../tables/columns'
import { session } from '../../tables/auth'
import { device } from '../../tables/device'
import { task } from '../../tables/task'

const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/

/**
 * Serves Prometheus metrics: calls and their duration, sessions, devices, reports, messages, tasks, memory and event
 * loop
 * delay of this process. Access needs `METRICS_TOKEN`; if it is not set, only this machine may read them.
 */
export function serveMetrics(app: FastifyInstance) {
  const { db, settings } = app
  const registry = new Registry()
  const registries = [registry]
  // The library observes the process until it ends, so it starts only once the server listens.
  app.addHook('onListen', async () => collectDefaultMetrics({ register: registry }))

  const callDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Calls by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: registries,
  })
  app.addHook('onResponse', async ({ method, routeOptions: { url = 'none' } }, reply) =>
    callDuration.observe(
      { method, route: url, status: reply.statusCode },
      reply.elapsedTime / 1000,
    ),
  )
  const reportCounter = new Counter({
    name: 'iot_device_reports_total',
    help: 'Reports of devices this process took',
    registers: registries,
  })
  const onReported = () => reportCounter.inc()
  app.devices.states.events.on('reported', onReported)
  app.addHook('onClose', async () => void app.devices.states.events.off('reported', onReported))

  new Counter({
    name: 'iot_device_messages_total',
    help: 'Messages from and to devices by this process',
    labelNames: ['direction'],
    registers: registries,
    collect() {
      this.reset()
      for (const [direction, count] of Object.entries(app.devices.messages.counts))
        this.inc({ direction }, count)
    },
  })

  const addGauge = (
    name: string,
    help: string,
    collectValue: (metric: Gauge) => Promise<void>,
    label?: string,
  ) =>
    new Gauge({
      name,
      help,
      registers: registries,
      labelNames: label ? [label] : [],
      collect() {
        return collectValue(this)
      },
    })
  addGauge('iot_sessions', 'Sessions that are signed in', async (metric) =>
    metric.set(await db.$count(session, and(isNull(session.ended), gt(session.expireTime, now())))),
  )
  addGauge('iot_tasks_running', 'Tasks that are not over', async (metric) =>
    metric.set(await db.$count(task, isNull(task.doneTime))),
  )
  const collectDevicesByState = async (metric: Gauge) => {
    const rows = await db
      .select({ state: device.state, devices: count() })
      .from(device)
      .groupBy(device.state)
    metric.reset()
    for (const { state, devices } of rows) metric.set({ state }, devices)
  }
  addGauge('iot_devices', 'Devices by state', collectDevicesByState, 'state')

  const canReadMetrics = ({ headers, ip }: FastifyRequest) =>
    settings.metricsToken
      ? timingSafeEqual(
          sha256(headers.authorization ?? ''),
          sha256(`Bearer ${settings.metricsToken}`),
        )
      : loopbackAddress.test(ip)
  app.get('/metrics', async (request, reply) =>
    canReadMetrics(request)
      ? reply.type(registry.contentType).send(await registry.metrics())
      : reply.status(403).type('text/plain').send('403\n'),
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
