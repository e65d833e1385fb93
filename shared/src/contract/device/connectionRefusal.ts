import type { RefusalReason } from './connectionRefusal.schema'

export const refusalReasonText: Record<RefusalReason, string> = {
  wrongSecret: '密钥不对（签名不符）',
  wrongToken: '令牌或 clientId 不对',
  wrongSignMethod: '签名方法不支持',
  wrongFormat: 'clientId 或用户名格式不对',
  expired: '连接参数已过期',
  unknownDevice: '设备未登记',
  unknownProduct: '产品不存在',
  disabled: '设备已禁用',
  replaced: '主机已被替换',
  slowed: '连接过于频繁，暂停接入',
  keepAlive: '保活时间不在 1–1200 秒',
  registration: '注册未被允许，原因见“设备自注册”',
  wrongProductSecret: '产品密钥不对（签名不符）',
  alreadyActive: '设备已激活，不能再注册',
  notInTopology: '不在这台网关的拓扑里',
  otherProject: '设备属于别的项目',
  protocolVersion: 'MQTT 版本不支持，请用 3.1.1',
  tls: 'TLS 握手失败',
  tooManyConnections: '连接数已到上限',
}
