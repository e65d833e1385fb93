import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { actionLogSchemas } from './actionLog.schema'

const actionLogs = resource('system', 'actionLog', '操作日志')

export const actionLogApi = defineApi<typeof actionLogSchemas>({
  page: {
    method: 'POST',
    path: '/v1/action-log/page',
    title: '操作日志',
    permission: 'system:actionLog:list',
  },
  /** Returns the actions of the caller, which everybody may read. */
  own: {
    method: 'POST',
    path: '/v1/action-log/own/page',
    title: '我的操作',
    permission: 'session',
  },
  exportRows: actionLogs.exportRows(),
  /** Returns the entities and fields that occur in the log, for the filters. */
  facets: {
    method: 'GET',
    path: '/v1/action-log/facets',
    title: '操作日志筛选项',
    permission: 'system:actionLog:list',
  },
})
