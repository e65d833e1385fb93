import { managedDeviceTitles } from './managedDevice'
import { fieldTitles } from '../fields'
import type { EdgeState } from './edgeHost.schema'

export const edgeStateText: Record<EdgeState, string> = {
  inactive: '未激活',
  online: '在线',
  degraded: '降级',
  offline: '离线',
  disabled: '禁用',
}
/** Usage of CPU, memory or disk in percent from which a host counts as degraded. */
export const degradedUsagePercent = 90
/** Number of intervals without a heartbeat after which a host counts as late. */
export const maxMissedHeartbeats = 3

export const edgeHostTitles = {
  name: '主机名称',
  deviceName: '序列号',
  productName: '型号',
  place: managedDeviceTitles.place,
  state: '状态',
  childCount: '子设备',
  heartbeatTime: '最近心跳',
  configVersion: '配置版本',
  address: managedDeviceTitles.address,
  os: '操作系统',
  firmware: '软件版本',
  createTime: fieldTitles.createTime,
}
