import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { withHealthTimeout } from '../../core/db/openDatabase'
import { isDiskFull } from '../../core/db/outage'
import { loginFailure } from '../../tables/auth'
import { now } from '../../tables/columns'

const fullDiskMessage = '磁盘空间不足，暂时不能保存'

/**
 * `/healthz` serves load balancers and the 服务不可用 screen of the console: 200 if a query succeeds on a new connection,
 * 503 otherwise. A full disk is reported but stays 200, because reads still work. `/readyz` returns 200 if the database
 * accepts a new connection and a write, and the broker is reachable.
 */
export function healthRoutes(app: FastifyInstance) {
  /** Rolls back a test write; only a real write shows that there is disk space. */
  class RollbackTestWrite extends Error {}
  async function assertDatabaseWritable() {
    const testWrite = app.db.transaction(async (tx) => {
      await tx.insert(loginFailure).values({ key: `try:${randomUUID()}`, count: 0, since: now() })
      throw new RollbackTestWrite()
    })
    await withHealthTimeout(testWrite).catch((error: unknown) => {
      if (!(error instanceof RollbackTestWrite)) throw error
    })
  }

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  app.get('/healthz', async (_request, reply) => {
    const database = { kind: app.database.kind, note: app.database.about }
    try {
      await app.database.ready()
    } catch {
      const status = (await app.database.isFull())
        ? { status: 'full', message: fullDiskMessage }
        : { status: 'unavailable' }
      return reply.status(503).send({ ...status, database })
    }
    const writeError = await assertDatabaseWritable().catch((error: unknown) => error)
    // A small write may still succeed when a larger one no longer fits.
    return isDiskFull(writeError) || (await app.database.isFull())
      ? { status: 'full', message: fullDiskMessage, database }
      : { status: 'ok', database }
  })
  app.get('/readyz', async (_request, reply) => {
    const writeError = await Promise.all([app.database.ready(), assertDatabaseWritable()]).then(
      () => undefined,
      (error: unknown) => error,
    )
    const isOutOfSpace = isDiskFull(writeError) || (await app.database.isFull())
    const database = isOutOfSpace ? 'full' : writeError ? 'unavailable' : 'writable'
    const broker = app.devices.broker()
    const isReady = !writeError && !isOutOfSpace && broker !== 'away'
    return reply
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'waiting', database, broker })
  })
}
