import { defineApi } from '../endpoint'
import type { errorReportSchemas } from './errorReport.schema'

export const errorReportApi = defineApi<typeof errorReportSchemas>({
  report: {
    method: 'POST',
    path: '/v1/log/error/report',
    title: '上报页面错误',
    reads: true,
    permission: 'public',
  },
})
