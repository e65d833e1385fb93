import { fieldTitles } from '../fields'
import type { z } from 'zod'
import type { ComponentKey, ComponentState, ClientState } from './network.schema'

export const componentText: Record<ComponentKey, string> = {
  tcp: 'MQTT',
  tls: 'MQTT（TLS）',
  ws: 'MQTT over WebSocket',
  wss: 'MQTT over WebSocket（TLS）',
  external: '外部消息服务',
  http: 'HTTP',
}
export const componentStateText: Record<z.infer<typeof ComponentState>, string> = {
  running: '运行中',
  off: '未开启',
  away: '连接中断',
}
export const clientStateText: Record<ClientState, string> = {
  online: '在线',
  slowed: '暂停接入',
  banned: '已禁用',
}

export const networkClientTitles = {
  name: '设备',
  deviceName: 'DeviceName',
  projectName: '项目',
  address: 'IP 地址',
  state: fieldTitles.status,
  onlineTime: '上线时间',
  slowedUntil: '暂停接入到',
}

export const componentTitles = {
  key: '组件',
  address: '地址',
  port: '端口',
  state: fieldTitles.status,
  connections: '连接',
  perMinute: '每分钟',
  errors: '错误',
  certificateEnd: '证书到期',
}
