import { defineApi } from '../endpoint'
import type { deviceSchemas } from './device.schema'

export const deviceApi = defineApi<typeof deviceSchemas>({
  actionModes: {
    method: 'GET',
    path: '/v1/device/action/mode',
    title: '批量动作',
    permission: 'session',
  },
  /** Returns one floor, or all floors together if `floorId` is missing and they are small enough for one response. */
  mapInfo: {
    method: 'GET',
    path: '/v1/device/map/info',
    title: '设备地图',
    permission: 'session',
  },
  /** Finds devices by words in any order, each in name, DeviceName, pinyin or place; matches in the name come first. */
  search: {
    method: 'GET',
    path: '/v1/device/search',
    title: '搜索设备',
    permission: 'session',
  },
  /** Finds devices whose name or DeviceName occurs in a sentence, the longest names first. */
  named: {
    method: 'POST',
    path: '/v1/device/named',
    title: '口令里的设备',
    reads: true,
    permission: 'session',
  },
  /** Returns light counts of all floors, including those that the page does not show. */
  lights: {
    method: 'GET',
    path: '/v1/device/map/lights',
    title: '灯的统计',
    permission: 'session',
  },
  problems: {
    method: 'GET',
    path: '/v1/device/problems',
    title: '现在的问题',
    permission: 'session',
  },
  floors: {
    method: 'GET',
    path: '/v1/device/map/floors',
    title: '楼层环境',
    permission: 'session',
  },
  /** Returns the number of devices of each type. */
  types: {
    method: 'GET',
    path: '/v1/device/types',
    title: '设备统计',
    permission: 'session',
  },
  card: {
    method: 'GET',
    path: '/v1/device/{id}/card',
    title: '设备卡片',
    permission: 'session',
  },
  /** Returns what sliders can set on some of the named devices, and on which of them. */
  adjustable: {
    method: 'POST',
    path: '/v1/device/adjustable',
    title: '可调节的属性',
    reads: true,
    permission: 'session',
  },
  /** Returns a value over the last 24 hours in steps of 15 minutes; text values return nothing. */
  curve: {
    method: 'GET',
    path: '/v1/device/{id}/curve',
    title: '24 小时曲线',
    permission: 'session',
  },
})
