import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { managedProjectSchemas } from './managedProject.schema'

const projects = resource('system', 'project', '项目')

/**
 * All calls cover the projects that the caller may see. Project switchers and pickers are refreshed after each change.
 */
export const managedProjectApi = defineApi<typeof managedProjectSchemas>({
  page: projects.page(),
  get: projects.get(),
  create: {
    ...projects.create(),
    changesRights: true,
  },
  update: {
    ...projects.update(),
    changesRights: true,
  },
  setStatus: {
    method: 'POST',
    path: '/v1/project/status',
    title: '切换项目状态',
    permission: 'system:project:setStatus',
  },
  remove: {
    ...projects.remove(),
    changesRights: true,
  },
  /** Returns true if this platform ships an example building and has no project yet. */
  example: {
    method: 'GET',
    path: '/v1/project/example',
    title: '示例楼宇',
    permission: 'system:project:add',
  },
  importExample: {
    method: 'POST',
    path: '/v1/project/example',
    title: '导入示例楼宇',
    permission: 'system:project:add',
    changesRights: true,
  },
  exportRows: projects.exportRows(),
})
