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
  registration: '注册被拒绝',
}

/** Connections that were refused alike: same claimed name, source and reason. Nothing of it is proven but the address. */
export const ConnectionRefusal = z.object({
  id: Id,
  lastTime: Time.meta({ title: '最近一次' }),
  firstTime: Time.meta({ title: '首次' }),
  count: z.number().int().meta({ title: '次数' }),
  address: z.string().meta({ title: 'IP 地址' }),
  productKey: z.string().meta({ title: 'ProductKey' }),
  deviceName: z.string().meta({ title: 'DeviceName' }),
  clientId: z.string().meta({ title: 'clientId' }),
  reason: RefusalReason.meta({ title: '原因' }),
  /** The registered device of that name. */
  deviceId: Id.nullable(),
})
export type ConnectionRefusal = z.infer<typeof ConnectionRefusal>
