import { defineApi } from './endpoint'
import type { dictionarySchemas } from './dictionary.schema'

export const dictionaryApi = defineApi<typeof dictionarySchemas>({
  config: {
    method: 'GET',
    path: '/v1/dictionary/config',
    title: '字典',
    permission: 'session',
  },
})
