import { timingSafeEqual, createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { addDatabaseMetrics } from './databaseMetrics'
import { addProcessMetrics } from './processMetrics'

const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/

/**
 * Serves Prometheus metrics of this process: calls and their duration, devices, queues, database, disk, memory and event
 * loop delay. Access needs `METRICS_TOKEN`; if it is not set, only this machine may read them.
 */
export function serveMetrics(app: FastifyInstance) {
  const { settings } = app
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

  addProcessMetrics(app, registry)
  addDatabaseMetrics(app, registry)

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
