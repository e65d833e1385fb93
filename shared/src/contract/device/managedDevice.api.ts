import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { managedDeviceSchemas } from './managedDevice.schema'

const devices = resource('deviceAccess', 'device', '设备')
/** Contains no schemas, because the browser build removes schemas only if they stand directly in `endpoint` calls. */
const readCallHead = (pathSegment: string, title: string) =>
  ({
    method: 'GET',
    path: `/v1/device/{id}/${pathSegment}`,
    title,
    permission: 'deviceAccess:device:query',
  }) as const

/** Devices of a project; a device of another project is answered like a missing one. */
export const managedDeviceApi = defineApi<typeof managedDeviceSchemas>({
  page: devices.page(),
  get: devices.get(),
  /** Returns the one-time secret of the new device. */
  create: {
    ...devices.create(),
    title: '登记设备',
  },
  update: devices.update(),
  remove: devices.remove(),
  removeMany: devices.removeMany(),
  /** A disabled device loses its connection at once. */
  setStatus: devices.setStatus(),
  /** Moves devices to another project or place. Their history stays with the former project. */
  move: {
    method: 'POST',
    path: '/v1/device/move',
    title: '移动设备',
    permission: 'deviceAccess:device:edit',
  },
  /** Returns what a change of the product would mean for each device, before it is made. */
  changeProductCheck: {
    method: 'POST',
    path: '/v1/device/change-product/check',
    title: '更换产品检查',
    reads: true,
    permission: 'deviceAccess:device:edit',
  },
  /** Makes devices those of another product; they keep name, secret and history, and connect with its ProductKey. */
  changeProduct: {
    method: 'POST',
    path: '/v1/device/change-product',
    title: '更换设备的产品',
    permission: 'deviceAccess:device:edit',
  },
  /**
   * Places devices on the plan of their floor, in fractions of its width and height; `null` removes a device from the
   * plan. A device without a floor is also moved to this one.
   */
  place: {
    method: 'POST',
    path: '/v1/device/place',
    title: '摆放设备',
    permission: 'deviceAccess:device:edit',
  },
  onFloor: {
    method: 'GET',
    path: '/v1/device/floor',
    title: '楼层的设备',
    permission: 'deviceAccess:device:list',
  },
  /** Replaces the one-time secret; the device cannot reconnect before it receives the new one. */
  replaceSecret: {
    method: 'POST',
    path: '/v1/device/{id}/secret',
    title: '更换设备密钥',
    permission: 'deviceAccess:device:secret',
  },
  /**
   * Replaces the secrets of many devices at once. The new ones are a file of the task, which can be downloaded once.
   */
  replaceSecrets: {
    method: 'POST',
    path: '/v1/device/secret',
    title: '批量更换设备密钥',
    permission: 'deviceAccess:device:secret',
  },
  /** Signs client id, user name and password for any MQTT client; the secret itself stays unknown to the caller. */
  connectParameters: {
    method: 'POST',
    path: '/v1/device/{id}/connect-parameters',
    title: '生成连接参数',
    permission: 'deviceAccess:device:secret',
  },
  exportRows: devices.exportRows(),
  /** The one-time secrets are a file of the task, which can be downloaded once. */
  importRows: {
    ...devices.importRows(),
    title: '批量登记设备',
  },
  live: readCallHead('live', '设备实时数据'),
  /** Returns the newest events, as the calls below do for messages and commands. */
  events: readCallHead('events', '设备事件'),
  messages: readCallHead('messages', '设备报文'),
  commands: readCallHead('commands', '设备下发记录'),
  /** Returns the history of one property while the device has been in its project. */
  history: readCallHead('history', '设备历史数据'),
  exportHistory: {
    method: 'POST',
    path: '/v1/device/{id}/history/export',
    title: '导出设备历史数据',
    permission: 'deviceAccess:device:export',
  },
  /** Requires the permission to control one device. Structures and arrays are passed as JSON text. */
  service: {
    method: 'POST',
    path: '/v1/device/{id}/service',
    title: '调用设备服务',
    permission: 'session',
  },
})
