import type { DeviceState } from './device.schema'

export const deviceStateText: Record<DeviceState, string> = {
  inactive: '未激活',
  online: '在线',
  offline: '离线',
  disabled: '禁用',
}

export const deviceImportMax = 10_000
export const maxDevicePlaces = 2000
