import { defineApi } from '../endpoint'
import type { dictionarySchemas } from './dictionary.schema'

export const dictionaryApi = defineApi<typeof dictionarySchemas>({
  config: {
    method: 'GET',
    path: '/v1/dictionary/config',
    title: '字典',
    permission: 'session',
  },
  /** Returns all dictionaries for the screen that shows them. */
  list: {
    method: 'GET',
    path: '/v1/dictionary/list',
    title: '字典列表',
    permission: 'system:dictionary:list',
  },
})
