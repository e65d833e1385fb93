import { ErrorLog, errorLogApi, errorStatusText } from '@iot/shared/contract/errorLog'
import { errorReportApi } from '@iot/shared/contract/errorReport'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { complain } from '../../core/db/outage'
import { describeForErrorLog, maskSecrets, maskStack } from '../../core/safeError'
import { found } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { addressGroup } from '../../core/serve/addressGroup'
import { idsOf, perRow } from '../../core/serve/perRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { decode } from '../../site/sourceMaps'
import { errorLogQueries } from './queries'
import { sheet } from './sheet'

/** Limit of new error kinds per browser address and hour; known kinds are always counted. */
const maxAddedKinds = 50

const about = changeOf('错误', ErrorLog, {
  status: (status) => errorStatusText[status as keyof typeof errorStatusText],
})

export function errorLogRoutes(app: FastifyInstance) {
  const queries = errorLogQueries(app.db)
  const addedKinds = new LRUCache<string, number>({ max: 10_000, ttl: 3600_000 })
  // A failure to record an error must not cause another error.
  const note = (...counted: Parameters<typeof queries.count>) =>
    queries.count(...counted).catch((error) => complain('错误未记录', error))
  app.faults.on('fault', (source, error, request) => {
    void note({
      source,
      ...describeForErrorLog(error),
      page: request?.routeOptions.url,
      traceId: request?.id,
    })
  })

  serve(app, errorReportApi, {
    async report({ component, address, ...report }, context) {
      const { traceId } = context
      const source = addressGroup(context.address)
      const occurrence = {
        ...report,
        message: maskSecrets(report.message),
        stack: maskStack([report.stack, component].filter(Boolean).join('\n')),
        page: maskSecrets(address),
        source: 'browser' as const,
        traceId,
      }
      await note(occurrence, () => {
        const added = (addedKinds.get(source) ?? 0) + 1
        addedKinds.set(source, added, { noUpdateTTL: true })
        return added <= maxAddedKinds
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
