import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { errorLogSchemas } from './errorLog.schema'

const errorLogs = resource('system', 'errorLog', '错误日志')

export const errorLogApi = defineApi<typeof errorLogSchemas>({
  page: errorLogs.page(),
  get: errorLogs.get(),
  exportRows: errorLogs.exportRows(),
  setStatus: {
    method: 'POST',
    path: '/v1/error-log/status',
    title: '标记错误',
    permission: 'system:errorLog:edit',
    owner: 'platform',
  },
})
