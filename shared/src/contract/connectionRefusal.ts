import { z } from 'zod'
import { Id, Time } from './fields'

export const RefusalReason = z.enum([
  'wrongSecret',
  'wrongToken',
  'wrongSignMethod',
  'wrongFormat',
  'unknownDevice',
  'unknownProduct',
  'disabled',
  'replaced',
  'slowed',
  'keepAlive',
  'registration',
  'wrongProductSecret',
  'alreadyActive',
  'notInTopology',
  'otherProject',
  'protocolVersion',
  'tls',
  'tooManyConnections',
])
export type RefusalReason = z.infer<typeof RefusalReason>
export const refusalReasonText: Record<RefusalReason, string> = {
  wrongSecret: '密钥不对（签名不符）',
  wrongToken: '令牌或 clientId 不对',
  wrongSignMethod: '签名方法不支持',
  wrongFormat: 'clientId 或用户名格式不对',
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

/**
 * Refused connections with the same claimed name, source and reason. The address alone is verified. The names are empty
 * if the connection ended before it sent them.
 */
export const ConnectionRefusal = z.object({
  id: Id,
  lastTime: Time.meta({ title: '最近一次' }),
  firstTime: Time.meta({ title: '首次' }),
  count: z.number().int().meta({ title: '次数' }),
  /** The connection came from this address; for a sub-device it is the gateway that logged it in. */
  address: z.string().meta({ title: '来源' }),
  productKey: z.string().meta({ title: 'ProductKey' }),
  deviceName: z.string().meta({ title: 'DeviceName' }),
  clientId: z.string().meta({ title: 'clientId' }),
  reason: RefusalReason.meta({ title: '原因' }),
  /** A registered device has this name, if the id is set. */
  deviceId: Id.nullable(),
})
export type ConnectionRefusal = z.infer<typeof ConnectionRefusal>

/** Connection failures on the page of a device. */
export const deviceRefusalFields = {
  /** The device connected too often and is blocked until this time. */
  slowedUntil: Time.nullable(),
  /** Newest refused connections of the device. */
  refusals: z.array(ConnectionRefusal),
}
