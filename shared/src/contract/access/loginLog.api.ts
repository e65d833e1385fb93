import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { loginLogSchemas } from './loginLog.schema'

const loginLogs = resource('system', 'loginLog', '登录日志')

export const loginLogApi = defineApi<typeof loginLogSchemas>({
  page: loginLogs.page(),
  exportRows: loginLogs.exportRows(),
  /** Ends the session of this login. */
  kick: {
    method: 'POST',
    path: '/v1/login-log/kick',
    title: '踢下线',
    permission: 'system:loginLog:kick',
    changesRights: true,
  },
})
