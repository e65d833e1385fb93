import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the signed-in user; empty before sign-in. */
    username: string
  }
}

/**
 * Writes one line per answered call and sends the id of the call as `x-request-id`, so that a message of a user leads
 * to the lines of the log. The query is left out, because it may hold a secret.
 */
export function logRequests(app: FastifyInstance) {
  app.decorateRequest('username', '')
  app.addHook('onRequest', async ({ id }, reply) => void reply.header('x-request-id', id))
  app.addHook('onResponse', async ({ log, method, url, ip, username }, reply) =>
    log.info(
      {
        method,
        path: url.split('?')[0],
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        username,
        address: ip,
      },
      'request answered',
    ),
  )
}
