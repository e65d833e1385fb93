import type { FastifyInstance } from 'fastify'

const facts = {
  memory: '内存数据库：进程结束即清空',
  embedded: '内嵌数据库：进程被杀不丢数据，断电可能丢失最近约半分钟；正式使用请设置 DATABASE_URL',
  server: 'PostgreSQL 服务器',
}

/** For load balancers and for the console's 服务不可用 screen: 200 when a query gets through, 503 otherwise. */
export function healthRoutes(app: FastifyInstance) {
  app.get('/healthz', async (_request, reply) => {
    const database = { kind: app.database.kind, note: facts[app.database.kind] }
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
