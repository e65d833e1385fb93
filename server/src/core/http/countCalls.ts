import type { FastifyInstance } from 'fastify'
import { createRateCounter } from './rateCounter'

/** Counts HTTP calls per minute, and answers with status 500 or above since the process started. */
export function countCalls(app: FastifyInstance) {
  const calls = createRateCounter()
  let errors = 0
  app.addHook('onResponse', async (_request, { statusCode }) => {
    calls.add()
    if (statusCode >= 500) errors++
  })
  return { figures: () => ({ perMinute: calls.perMinute(), errors }) }
}
export type CallCounter = ReturnType<typeof countCalls>
