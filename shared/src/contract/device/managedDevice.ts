import { fieldTitles } from '../fields'
import type { DeviceState } from './device.schema'

export const deviceStateText: Record<DeviceState, string> = {
  inactive: '未激活',
  online: '在线',
  offline: '离线',
  disabled: '禁用',
}

export const deviceImportMax = 10_000
export const maxDevicePlaces = 2000

export const managedDeviceTitles = {
  name: '设备名称',
  deviceName: 'DeviceName',
  productName: '产品',
  place: '位置',
  address: 'IP 地址',
  state: '状态',
  gatewayName: '所属网关',
  reportedTime: '最近上报',
  createTime: fieldTitles.createTime,
}
