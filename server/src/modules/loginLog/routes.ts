import { LoginLog, loginLogSchemas } from '@iot/shared/contract/access/loginLog.schema'
import { loginLogApi } from '@iot/shared/contract/access/loginLog.api'
import type { FastifyInstance } from 'fastify'
import { createRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createSheetColumns } from '../../core/tasks/sheet'
import { getUserChangeRefusal } from '../auth/policy/grants'
import { getAssignedProjects } from '../auth/policy/rights'
import { loginLogQueries } from './queries'

const sheet = createSheetColumns(LoginLog, {
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

  serve(app, loginLogApi, loginLogSchemas, {
    async page(query, context) {
      const { list, ...rest } = await queries.page(query)
      const rowsWithCurrent = list.map((row) => ({ ...row, current: row.sessionId === context.id }))
      return { list: rowsWithCurrent, ...rest }
    },
    exportRows: createExportHandler(app, loginLogApi.exportRows, {
      entity: '登录日志',
      sheet,
      page: queries.page,
    }),

    async kick({ id }, context) {
      const userId = await context.write(loginLogQueries, async (rows, recordAudit, tx) => {
        const openLogin = await rows.findOpenLogin(id)
        if (!openLogin) throw createRefusal('这次登录已经结束')
        const { login, user } = openLogin
        if (login.sessionId === context.id) throw createRefusal('这是您当前的会话，请用“退出登录”')
        if (
          await getUserChangeRefusal(tx, context, {
            id: user.id,
            projectIds: getAssignedProjects(user),
          })
        )
          throw createRefusal('不能管理权限比自己多的用户')
        await rows.endSession(login.sessionId!)
        recordAudit({ entity: '会话', id: login.sessionId!, name: user.name })
        return user.id
      })
      app.sessions.end(userId)
      return null
    },
  })
}
