import { devicePermissions } from './devicePermissions'
import { defineApi } from './endpoint'
import type { holdSchemas } from './holdOffNote.schema'

export const holdApi = defineApi<typeof holdSchemas>({
  /** Returns the open notes, the oldest first. */
  list: {
    method: 'GET',
    path: '/v1/hold',
    title: '交接的人工保留',
    permission: devicePermissions.view.permission,
  },
  create: {
    method: 'POST',
    path: '/v1/hold',
    title: '保留控制结果',
    permission: devicePermissions.control.permission,
  },
  end: {
    method: 'POST',
    path: '/v1/hold/{id}/end',
    title: '结束保留',
    permission: devicePermissions.control.permission,
  },
})
