import { headerNames } from '@iot/shared/contract/endpoint'
import type { FastifyInstance } from 'fastify'

/**
 * Sets headers on answers: API answers are not cached, and browsers must not guess a content type. File routes
 * override the cache header.
 */
export function setSecurityHeaders(app: FastifyInstance) {
  app.addHook('onRequest', async ({ url }, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'same-origin')
    if (url.startsWith('/v1/')) reply.header('cache-control', 'no-store')
  })
  // Pages compute ages and deadlines from the server's clock, because the clock of the browser may be days off.
  app.addHook('onSend', async ({ url }, reply) => {
    if (url.startsWith('/v1/')) reply.header(headerNames.serverTime, Date.now())
  })
}
