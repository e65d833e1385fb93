import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { edgeHostSchemas } from './edgeHost.schema'

const hosts = resource('deviceAccess', 'edgeHost', '边缘主机')
const permissionCode = (verb: string) => `deviceAccess:edgeHost:${verb}` as const

/** Calls for the gateways of a project as edge hosts. `managedDeviceApi` disables and deletes them and replaces their secret. */
export const edgeHostApi = defineApi<typeof edgeHostSchemas>({
  page: hosts.page(),
  get: hosts.get(),
  /** Returns the one-time secret of the new host. */
  create: {
    ...hosts.create(),
    title: '登记边缘主机',
  },
  update: hosts.update(),
  exportRows: hosts.exportRows(),
  /** The one-time secrets are a file of the task, which can be downloaded once. */
  importRows: {
    ...hosts.importRows(),
    title: '批量登记边缘主机',
  },
  /**
   * Replaces a host: a new serial with a new secret takes over sub-devices, configuration and place; the old host is
   * disabled.
   */
  replace: {
    method: 'POST',
    path: '/v1/edge-host/{id}/replace',
    title: '替换边缘主机',
    permission: permissionCode('replace'),
  },
  /** Sends a restart command to the host and returns its reply. */
  restart: {
    method: 'POST',
    path: '/v1/edge-host/{id}/restart',
    title: '重启边缘主机',
    permission: permissionCode('restart'),
  },
  config: {
    method: 'GET',
    path: '/v1/edge-host/{id}/config',
    title: '查看边缘主机配置',
    permission: permissionCode('config'),
  },
  /** Creates the next version. The host receives it when it is pushed or when the host requests it. */
  setConfig: {
    method: 'PUT',
    path: '/v1/edge-host/{id}/config',
    title: '修改边缘主机配置',
    permission: permissionCode('config'),
  },
  push: {
    method: 'POST',
    path: '/v1/edge-host/{id}/push',
    title: '推送边缘主机配置',
    permission: permissionCode('config'),
  },
})
