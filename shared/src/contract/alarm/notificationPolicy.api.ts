import { defineApi } from '../endpoint'
import type { notificationPolicySchemas } from './notificationPolicy.schema'
import { resource } from '../resource'

const policies = resource('system', 'notificationPolicy', '通知策略', 'platform')

export const notificationPolicyApi = defineApi<typeof notificationPolicySchemas>({
  page: policies.page(),
  create: policies.create(),
  update: policies.update(),
  remove: policies.remove(),
  removeMany: policies.removeMany(),
  setStatus: policies.setStatus(),
})
