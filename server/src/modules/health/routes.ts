import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { inTime } from '../../core/db/open'
import { isFull } from '../../core/db/outage'
import { loginFailure } from '../../tables/auth'
import { now } from '../../tables/columns'

const fullDisk = '磁盘空间不足，暂时不能保存'

/**
 * `/healthz` serves load balancers and the 服务不可用 screen of the console: 200 if a query succeeds on a new connection,
 * 503 otherwise. A full disk is reported but stays 200, because reads still work. `/readyz` returns 200 if the database
 * accepts a new connection and a write, and the broker is reachable.
 */
export function healthRoutes(app: FastifyInstance) {
  /** Rolls back a test write; only a real write shows that there is disk space. */
  class Back extends Error {}
  async function tryWriting() {
    const writing = app.db.transaction(async (tx) => {
      await tx.insert(loginFailure).values({ key: `try:${randomUUID()}`, count: 0, since: now() })
      throw new Back()
    })
    await inTime(writing).catch((error: unknown) => {
      if (!(error instanceof Back)) throw error
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
        ? { status: 'full', message: fullDisk }
        : { status: 'unavailable' }
      return reply.status(503).send({ ...status, database })
    }
    const wrong = await tryWriting().catch((error: unknown) => error)
    // A small write may still succeed when a larger one no longer fits.
    return isFull(wrong) || (await app.database.isFull())
      ? { status: 'full', message: fullDisk, database }
      : { status: 'ok', database }
  })
  app.get('/readyz', async (_request, reply) => {
    const wrong = await Promise.all([app.database.ready(), tryWriting()]).then(
      () => undefined,
      (error: unknown) => error,
    )
    const full = isFull(wrong) || (await app.database.isFull())
    const database = full ? 'full' : wrong ? 'unavailable' : 'writable'
    const broker = app.devices.broker()
    const isReady = !wrong && !full && broker !== 'away'
    return reply
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'waiting', database, broker })
  })
}
