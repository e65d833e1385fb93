import type { FastifyInstance } from 'fastify'
import { openRate } from './rate'

/** Counts HTTP calls per minute, and answers with status 500 or above since the process started. */
export function countCalls(app: FastifyInstance) {
  const calls = openRate()
  let errors = 0
  app.addHook('onResponse', async (_request, { statusCode }) => {
    calls.add()
    if (statusCode >= 500) errors++
  })
  return { figures: () => ({ perMinute: calls.perMinute(), errors }) }
}
export type Calls = ReturnType<typeof countCalls>
