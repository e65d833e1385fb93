import { z } from 'zod'
import { endpoint } from './endpoint'
import { PageAnchor, ById, Id, SearchFilter, Time, periodFilter } from './fields'
import { resource } from './resource'

export const LoginLog = z.object({
  id: Id,
  time: Time.meta({ title: '时间' }),
  username: z.string().meta({ title: '账号' }),
  ok: z.boolean().meta({ title: '结果' }),
  reason: z.string().meta({ title: '原因' }),
  address: z.string().meta({ title: 'IP 地址' }),
  browser: z.string().meta({ title: '浏览器' }),
  system: z.string().meta({ title: '操作系统' }),
  /** The session of this login is still open. */
  online: z.boolean().meta({ title: '会话' }),
  /** It is the session of the reader. */
  current: z.boolean(),
})
export type LoginLog = z.infer<typeof LoginLog>

const filters = {
  username: SearchFilter.optional(),
  address: SearchFilter.optional(),
  ok: z.enum(['true', 'false']).optional(),
  online: z.literal('true').optional(),
  ...periodFilter,
}
const loginLogs = resource('system', 'loginLog', '登录日志')

export const loginLogApi = {
  page: loginLogs.page({ input: { ...filters, anchor: PageAnchor.optional() }, output: LoginLog }),
  exportRows: loginLogs.exportRows({ input: filters }),
  /** Ends the session of this login. */
  kick: endpoint({
    method: 'POST',
    path: '/v1/login-log/kick',
    title: '踢下线',
    permission: 'system:loginLog:kick',
    changesRights: true,
    input: ById,
    output: z.null(),
  }),
}
