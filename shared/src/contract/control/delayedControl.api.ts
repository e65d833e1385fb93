import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { delayedControlSchemas } from './delayedControl.schema'

/** Creating and cancelling also require the permission of the command itself, which depends on the request. */
export const delayedControlApi = defineApi<typeof delayedControlSchemas>({
  list: {
    method: 'GET',
    path: '/v1/delayed-control',
    title: '延时控制列表',
    permission: devicePermissions.view.permission,
  },
  create: {
    method: 'POST',
    path: '/v1/delayed-control',
    title: '延时控制',
    permission: 'session',
  },
  cancel: {
    method: 'POST',
    path: '/v1/delayed-control/{id}/cancel',
    title: '取消延时控制',
    permission: 'session',
  },
})
