import type { FastifyInstance } from 'fastify'

/** For load balancers and for the console's 服务不可用 screen: 200 when a query gets through, 503 otherwise. */
export function healthRoutes(app: FastifyInstance) {
  app.get('/healthz', async (_request, reply) => {
    const database = { kind: app.database.kind, note: app.database.about }
    try {
      await app.database.ready()
      return reply.header('cache-control', 'no-store').send({ status: 'ok', database })
    } catch {
      return reply
        .status(503)
        .header('cache-control', 'no-store')
        .send({ status: 'unavailable', database })
    }
  })
}
