import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { manualOverrideSchemas } from './manualOverride.schema'

export const manualOverrideApi = defineApi<typeof manualOverrideSchemas>({
  /** Returns the open overrides, the one that ends first at the top. */
  list: {
    method: 'GET',
    path: '/v1/manual-override',
    title: '手动保持列表',
    permission: devicePermissions.view.permission,
  },
  /** Several devices or a space require the permission for bulk control, too. */
  create: {
    method: 'POST',
    path: '/v1/manual-override',
    title: '手动保持',
    permission: devicePermissions.control.permission,
  },
  end: {
    method: 'POST',
    path: '/v1/manual-override/{id}/end',
    title: '解除手动保持',
    permission: devicePermissions.control.permission,
  },
})
