import { actionLogApi } from '@iot/shared/contract/actionLog'
import type { FastifyInstance } from 'fastify'
import { wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { actionLogQueries } from './queries'
import { sheet } from './sheet'

export function actionLogRoutes(app: FastifyInstance) {
  const queries = actionLogQueries(app.db)
  const page: typeof queries.page = (query) =>
    queries.page({ ...query, from: moment('from', query.from), to: moment('to', query.to) })

  serve(app, actionLogApi, {
    page,
    exportRows: exporter(app, actionLogApi.exportRows, { entity: '操作日志', sheet, page }),
    facets: () => queries.facets(),
  })
}

function moment(field: string, text?: string) {
  if (!text) return undefined
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || at.getFullYear() < 1970 || at.getFullYear() > 9999)
    throw wrongField(field, '时间格式不正确')
  return at.toISOString()
}
