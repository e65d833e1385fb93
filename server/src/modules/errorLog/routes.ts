import { hourMs } from '@iot/shared/contract/duration'
import { errorStatusText } from '@iot/shared/contract/platform/errorLog'
import { ErrorLog, errorLogSchemas } from '@iot/shared/contract/platform/errorLog.schema'
import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { errorReportSchemas } from '@iot/shared/contract/platform/errorReport.schema'
import { errorReportApi } from '@iot/shared/contract/platform/errorReport.api'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { logError, runInBackground } from '../../core/db/outage'
import { describeForErrorLog, maskSecrets, maskStack } from '../../core/logging/safeError'
import { requireRow } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { addressGroup } from '../../core/http/addressGroup'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { decodeStack } from './decodeStack'
import { errorLogQueries } from './queries'
import { sheet } from './sheet'

/** Limit of new error kinds per browser address and hour; known kinds are always counted. */
const maxAddedKinds = 50

const toAuditEntry = createChangeDescriber('错误', ErrorLog, {
  status: (status) => errorStatusText[status as keyof typeof errorStatusText],
})

export function errorLogRoutes(app: FastifyInstance) {
  const queries = errorLogQueries(app.db)
  const addedKinds = new LRUCache<string, number>({ max: 10_000, ttl: hourMs })
  // A failure to record an error must not cause another error.
  const recordError = (...occurrenceArgs: Parameters<typeof queries.recordOccurrence>) =>
    queries.recordOccurrence(...occurrenceArgs).catch((error) => logError('错误未记录', error))
  app.faults.on('fault', (source, error, request) => {
    const occurrence = {
      source,
      ...describeForErrorLog(error),
      page: request?.routeOptions.url,
      traceId: request?.id,
    }
    runInBackground(recordError(occurrence), '错误未记录')
  })

  serve(app, errorReportApi, errorReportSchemas, {
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
      await recordError(occurrence, () => {
        const addedCount = (addedKinds.get(source) ?? 0) + 1
        addedKinds.set(source, addedCount, { noUpdateTTL: true })
        return addedCount <= maxAddedKinds
      })
      return null
    },
  })

  serve(app, errorLogApi, errorLogSchemas, {
    page: queries.page,
    async get({ id }) {
      const row = requireRow((await queries.findByIds([id]))[0], '错误')
      const stack = row.source === 'browser' ? row.stack : ''
      return { ...row, ...(await decodeStack(stack, app.settings.site?.folder)) }
    },
    exportRows: createExportHandler(app, errorLogApi.exportRows, {
      entity: '错误日志',
      sheet,
      page: queries.page,
    }),
    setStatus: ({ ids, status }, context) =>
      context.write(errorLogQueries, async (rows, recordAudit) =>
        applyPerRow(
          ids,
          await rows.findByIds(ids),
          () => false,
          async (unblockedRows) => {
            await rows.setStatus(getIds(unblockedRows), status)
            for (const row of unblockedRows)
              recordAudit(toAuditEntry(row, { before: { status: row.status }, after: { status } }))
          },
        ),
      ),
  })
}
