import { actionLogApi } from '@iot/shared/contract/actionLog'
import type { FastifyInstance } from 'fastify'
import { wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { exported } from '../../core/serve/transfer'
import { actionLogQueries } from './queries'

export function actionLogRoutes(app: FastifyInstance) {
  const queries = actionLogQueries(app.db)
  serve(app, actionLogApi, {
    page: (query) =>
      queries.page({ ...query, from: moment('from', query.from), to: moment('to', query.to) }),
    exportRows: ({ from, to, ...filters }, context) =>
      exported(context, '操作日志', (slice) =>
        queries.page({ ...filters, ...slice, from: moment('from', from), to: moment('to', to) }),
      ),
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
