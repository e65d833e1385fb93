import { ErrorLog, errorLogApi, errorStatusText } from '@iot/shared/contract/errorLog'
import { errorReportApi } from '@iot/shared/contract/errorReport'
import type { FastifyInstance } from 'fastify'
import { complain } from '../../core/db/outage'
import { describeForErrorLog, maskSecrets, maskStack } from '../../core/safeError'
import { found } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { idsOf, perRow } from '../../core/serve/perRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { decode } from '../../site/sourceMaps'
import { errorLogQueries } from './queries'
import { sheet } from './sheet'

const about = changeOf('错误', ErrorLog, {
  status: (status) => errorStatusText[status as keyof typeof errorStatusText],
})

export function errorLogRoutes(app: FastifyInstance) {
  const queries = errorLogQueries(app.db)
  // A failure to note a failure must not cause a third.
  const note = (occurrence: Parameters<typeof queries.count>[0]) =>
    queries.count(occurrence).catch((error) => complain('错误未记录', error))
  app.faults.on('fault', (source, error, request) => {
    void note({
      source,
      ...describeForErrorLog(error),
      page: request?.routeOptions.url,
      traceId: request?.id,
    })
  })

  serve(app, errorReportApi, {
    async report({ component, address, ...report }, { traceId }) {
      await note({
        ...report,
        message: maskSecrets(report.message),
        stack: maskStack([report.stack, component].filter(Boolean).join('\n')),
        page: maskSecrets(address),
        source: 'browser',
        traceId,
      })
      return null
    },
  })

  serve(app, errorLogApi, {
    page: queries.page,
    async get({ id }) {
      const row = found((await queries.many([id]))[0], '错误')
      const stack = row.source === 'browser' ? row.stack : ''
      return { ...row, ...(await decode(stack, app.settings.site?.folder)) }
    },
    exportRows: exporter(app, errorLogApi.exportRows, {
      entity: '错误日志',
      sheet,
      page: queries.page,
    }),
    setStatus: ({ ids, status }, context) =>
      context.write(errorLogQueries, async (rows, note) =>
        perRow(
          ids,
          await rows.many(ids),
          () => false,
          async (free) => {
            await rows.setStatus(idsOf(free), status)
            for (const row of free)
              note(about(row, { before: { status: row.status }, after: { status } }))
          },
        ),
      ),
  })
}
