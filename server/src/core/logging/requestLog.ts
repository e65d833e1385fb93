import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the signed-in user; empty before sign-in. */
    username: string
  }
}

/**
 * Sends the id of each call as `x-request-id` and, if the log is read by machines, writes one line per answered call, so
 * that a message of a user leads to the lines of the log. The query is left out, because it may hold a secret.
 */
export function logRequests(app: FastifyInstance, { writesLines }: { writesLines: boolean }) {
  app.decorateRequest('username', '')
  app.addHook('onRequest', async ({ id }, reply) => void reply.header('x-request-id', id))
  if (!writesLines) return
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
