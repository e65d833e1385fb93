import { defineApi } from '../endpoint'
import type { projectSchemas } from './project.schema'

export const projectApi = defineApi<typeof projectSchemas>({
  mapEngineeringTree: {
    method: 'GET',
    path: '/v1/map-engineering/tree',
    title: '地图工程树',
    permission: 'session',
  },
  spaces: {
    method: 'GET',
    path: '/v1/project/{projectId}/spaces',
    title: '空间树',
    permission: 'session',
  },
})
