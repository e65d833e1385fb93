import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { holdSchemas } from './holdOffNote.schema'

export const holdApi = defineApi<typeof holdSchemas>({
  /** Returns the open notes, the oldest first. */
  list: {
    method: 'GET',
    path: '/v1/hold',
    title: '值班备注列表',
    permission: devicePermissions.view.permission,
  },
  create: {
    method: 'POST',
    path: '/v1/hold',
    title: '添加值班备注',
    permission: devicePermissions.control.permission,
  },
  end: {
    method: 'POST',
    path: '/v1/hold/{id}/end',
    title: '解除值班备注',
    permission: devicePermissions.control.permission,
  },
})
