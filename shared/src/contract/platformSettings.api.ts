import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id } from './fields'
import { BrandingChange, PlatformSettings, SecurityPolicyChange } from './platformSettings.schema'

export const platformSettingsApi = {
  read: endpoint({
    method: 'GET',
    path: '/v1/platform-settings',
    title: '查看平台设置',
    permission: 'system:platformSettings:query',
    input: z.object({}),
    output: PlatformSettings,
  }),
  /** Returns the roles that may be required to use a second factor, with the users that have not enabled it yet. */
  roles: endpoint({
    method: 'GET',
    path: '/v1/platform-settings/roles',
    title: '两步验证的角色',
    permission: 'system:platformSettings:query',
    input: z.object({}),
    output: z.array(
      z.object({
        id: Id,
        name: z.string(),
        users: z.number().int(),
        usersWithoutSecondFactor: z.number().int(),
      }),
    ),
  }),
  /** Open pages read user and branding again. */
  updateBranding: endpoint({
    method: 'PUT',
    path: '/v1/platform-settings/branding',
    title: '修改平台品牌',
    permission: 'system:platformSettings:edit',
    owner: 'platform',
    changesRights: true,
    input: BrandingChange,
    output: PlatformSettings,
  }),
  updatePolicy: endpoint({
    method: 'PUT',
    path: '/v1/platform-settings/policy',
    title: '修改登录策略',
    permission: 'system:platformSettings:edit',
    owner: 'platform',
    changesRights: true,
    input: SecurityPolicyChange,
    output: PlatformSettings,
  }),
}
