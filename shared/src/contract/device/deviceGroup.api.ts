import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { deviceGroupSchemas } from './deviceGroup.schema'

const groups = resource('deviceAccess', 'deviceGroup', '设备组')

export const deviceGroupApi = defineApi<typeof deviceGroupSchemas>({
  page: groups.page(),
  create: groups.create(),
  update: groups.update(),
  remove: groups.remove(),
  removeMany: groups.removeMany(),
  exportRows: groups.exportRows(),
  importRows: groups.importRows(),
  /** Returns the current matches of a rule before it is saved. */
  preview: {
    method: 'POST',
    path: '/v1/device-group/preview',
    title: '预览设备组',
    reads: true,
    permission: groups.page().permission,
  },
  /** Returns the tags of the devices in a project. */
  tags: {
    method: 'GET',
    path: '/v1/device-group/tags',
    title: '设备标签',
    permission: 'session',
  },
  list: {
    method: 'GET',
    path: '/v1/device-group/list',
    title: '设备组选项',
    permission: 'session',
  },
  lights: {
    method: 'GET',
    path: '/v1/device-group/{id}/lights',
    title: '设备组的灯',
    permission: 'session',
  },
  members: {
    method: 'POST',
    path: '/v1/device-group/{id}/members',
    title: '设备组成员',
    reads: true,
    permission: 'session',
  },
})
