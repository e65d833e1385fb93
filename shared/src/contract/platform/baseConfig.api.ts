import { defineApi } from '../endpoint'
import type { baseConfigSchemas } from './baseConfig.schema'

export const baseConfigApi = defineApi<typeof baseConfigSchemas>({
  get: {
    method: 'GET',
    path: '/v1/base-config',
    title: '平台外观',
    permission: 'public',
  },
})
