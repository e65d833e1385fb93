import { errorReportApi } from '@iot/shared/contract/errorReport'
import type { FastifyInstance } from 'fastify'
import { complain } from '../../core/db/outage'
import { serve } from '../../core/serve/serve'
import { errorLogQueries } from './queries'

export function errorLogRoutes(app: FastifyInstance) {
  const queries = errorLogQueries(app.db)
  // A failure to note a failure must not cause a third.
  const note = (occurrence: Parameters<typeof queries.count>[0]) =>
    queries.count(occurrence).catch((error) => complain('错误未记录', error))
  app.faults.on('fault', (source, error, request) => {
    void note({
      source,
      message: error.message.slice(0, 2000),
      stack: error.stack?.slice(0, 8000),
      page: request?.routeOptions.url,
      traceId: request?.id,
    })
  })

  serve(app, errorReportApi, {
    async report({ component, address, ...report }, { traceId }) {
      await note({
        ...report,
        stack: [report.stack, component].filter(Boolean).join('\n'),
        page: address,
        source: 'browser',
        traceId,
      })
      return null
    },
  })
}
