import { defineApi } from '../endpoint'
import type { aboutSchemas } from './about.schema'

export const aboutApi = defineApi<typeof aboutSchemas>({
  read: {
    method: 'GET',
    path: '/v1/about',
    title: '关于',
    permission: 'session',
  },
})
