import { actionLogApi } from '@iot/shared/contract/actionLog'
import { EXPORT_MAX } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import { wrongField } from '../../plugins/refusal'
import { serve } from '../../plugins/serve'
import { exported } from '../../plugins/transfer'
import { actionLogQueries } from './queries'

export function actionLogRoutes(app: FastifyInstance) {
  const queries = actionLogQueries(app.db)
  serve(app, actionLogApi, {
    page: (query) => queries.page(withMoments(query)),
    async exportRows(filters, context) {
      const { list } = await queries.page(withMoments({ ...filters, pageNo: 1, pageSize: EXPORT_MAX }))
      context.note({ entity: '操作日志', id: '', name: `${list.length} 条` })
      return list
    },
    exportRows: ({ from, to, ...filters }, context) =>
      exported(context, '操作日志', (slice) => queries.page({ ...filters, ...slice, from: moment('from', from), to: moment('to', to) })),
    facets: () => queries.facets(),
  })
}

const withMoments = <Q extends { from?: string; to?: string }>(query: Q): Q => ({ ...query, from: moment('from', query.from), to: moment('to', query.to) })

function moment(field: string, text?: string) {
  if (!text) return undefined
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || at.getFullYear() < 1970 || at.getFullYear() > 9999) throw wrongField(field, '时间格式不正确')
  return at.toISOString()
}
