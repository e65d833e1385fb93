import { actionLogSchemas } from '@iot/shared/contract/access/actionLog.schema'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { actionLogQueries } from './queries'
import { sheet } from './sheet'

export function actionLogRoutes(app: FastifyInstance) {
  const queries = actionLogQueries(app.db)
  serve(app, actionLogApi, actionLogSchemas, {
    page: queries.page,
    own: (query, { user }) => queries.page({ ...query, actor: user.username }),
    exportRows: createExportHandler(app, actionLogApi.exportRows, {
      entity: '操作日志',
      sheet,
      page: queries.page,
    }),
    facets: () => queries.facets(),
  })
}
