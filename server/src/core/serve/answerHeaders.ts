import { headerNames } from '@iot/shared/contract/endpoint'
import type { FastifyInstance } from 'fastify'

/** Answers of calls are for who asked and for now, and nothing is what it does not say it is. A file says otherwise itself. */
export function headAnswers(app: FastifyInstance) {
  app.addHook('onRequest', async ({ url }, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (url.startsWith('/v1/')) reply.header('cache-control', 'no-store')
  })
  // Pages reckon ages and deadlines against this clock, because their own may be days off.
  app.addHook('onSend', async ({ url }, reply) => {
    if (url.startsWith('/v1/')) reply.header(headerNames.serverTime, Date.now())
  })
}
