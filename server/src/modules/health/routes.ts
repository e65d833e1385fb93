import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { inTime } from '../../core/db/open'
import { isFull } from '../../core/db/outage'
import { loginFailure } from '../../tables/auth'
import { now } from '../../tables/columns'

const fullDisk = '磁盘空间不足，暂时不能保存'

/**
 * `/healthz`, for load balancers and for the console's 服务不可用 screen: 200 when a query gets through on a connection
 * made for it, 503 otherwise; a full disk is said and is no reason to send anybody away, for everything can still be read.
 * `/readyz`: 200 when the database lets somebody new in and takes a write, and the broker is there.
 */
export function healthRoutes(app: FastifyInstance) {
  /** A write that is taken back: the only way to know that there is room. */
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
    // A small write finds its place where a larger one does not any more.
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
