import { LoginLog, loginLogApi } from '@iot/shared/contract/loginLog'
import type { FastifyInstance } from 'fastify'
import { refused } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { sheetOf } from '../../core/tasks/sheet'
import { exceedsUser } from '../auth/policy/grants'
import { assignedTo } from '../auth/policy/rights'
import { loginLogQueries } from './queries'

const sheet = sheetOf(LoginLog, {
  time: '',
  username: '',
  ok: { text: (ok: boolean) => (ok ? '成功' : '失败') },
  reason: '',
  address: '',
  browser: '',
  system: '',
})

export function loginLogRoutes(app: FastifyInstance) {
  const queries = loginLogQueries(app.db)

  serve(app, loginLogApi, {
    async page(query, context) {
      const { list, ...rest } = await queries.page(query)
      const marked = list.map((row) => ({ ...row, current: row.sessionId === context.id }))
      return { list: marked, ...rest }
    },
    exportRows: exporter(app, loginLogApi.exportRows, {
      entity: '登录日志',
      sheet,
      page: queries.page,
    }),

    async kick({ id }, context) {
      const userId = await context.write(loginLogQueries, async (rows, note, tx) => {
        const found = await rows.open(id)
        if (!found) throw refused('这次登录已经结束')
        const { login, user } = found
        if (login.sessionId === context.id) throw refused('这是您当前的会话，请用“退出登录”')
        if (await exceedsUser(tx, context, { id: user.id, projectIds: assignedTo(user) }))
          throw refused('不能管理权限比自己多的用户')
        await rows.kick(login.sessionId!)
        note({ entity: '会话', id: login.sessionId!, name: user.name })
        return user.id
      })
      app.sessions.end(userId)
      return null
    },
  })
}
