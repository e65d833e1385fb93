import { defineApi } from '../endpoint'
import type { platformSettingsSchemas } from './platformSettings.schema'

export const platformSettingsApi = defineApi<typeof platformSettingsSchemas>({
  read: {
    method: 'GET',
    path: '/v1/platform-settings',
    title: '查看平台设置',
    permission: 'system:platformSettings:query',
  },
  /** Returns the roles that may be required to use a second factor, with the users that have not enabled it yet. */
  roles: {
    method: 'GET',
    path: '/v1/platform-settings/roles',
    title: '两步验证的角色',
    permission: 'system:platformSettings:query',
  },
  /** Open pages read user and branding again. */
  updateBranding: {
    method: 'PUT',
    path: '/v1/platform-settings/branding',
    title: '修改平台设置',
    permission: 'system:platformSettings:edit',
    owner: 'platform',
    changesRights: true,
  },
  updatePolicy: {
    method: 'PUT',
    path: '/v1/platform-settings/policy',
    title: '修改登录策略',
    permission: 'system:platformSettings:edit',
    owner: 'platform',
    changesRights: true,
  },
})
