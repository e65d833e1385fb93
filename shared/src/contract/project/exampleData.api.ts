import { defineApi } from '../endpoint'
import type { exampleDataSchemas } from './exampleData.schema'

export const exampleDataApi = defineApi<typeof exampleDataSchemas>({
  read: {
    method: 'GET',
    path: '/v1/example-data',
    title: '查看示例数据',
    permission: 'system:platformSettings:query',
  },
  /** Tells what clearing would remove and leave; it changes nothing. */
  preview: {
    method: 'POST',
    path: '/v1/example-data/preview',
    title: '预览清除示例数据',
    permission: 'system:platformSettings:clearExample',
    owner: 'platform',
    reads: true,
  },
  clear: {
    method: 'POST',
    path: '/v1/example-data/clear',
    title: '清除示例数据',
    permission: 'system:platformSettings:clearExample',
    owner: 'platform',
    changesRights: true,
  },
})
