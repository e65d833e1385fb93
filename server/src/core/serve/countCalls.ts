import type { FastifyInstance } from 'fastify'
import { openRate } from './rate'

/** Over HTTP, since the process began. */
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
