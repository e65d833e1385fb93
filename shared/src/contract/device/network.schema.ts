import * as z from '../zod'
import { ById, Time, Id, pageQuery, SearchFilter, pageResult } from '../fields.schema'
import { RefusalReason, ConnectionRefusal } from './connectionRefusal.schema'

/**
 * Entry points of the platform: four listeners of the embedded broker, an external broker, and HTTP for console and
 * devices.
 */
export const ComponentKey = z.enum(['tcp', 'tls', 'ws', 'wss', 'external', 'http'])
export type ComponentKey = z.infer<typeof ComponentKey>
export const ComponentState = z.enum(['running', 'off', 'away'])

/** Figures of the answering process since its start; null if they are known to the external broker alone. */
export const Component = z.object({
  key: ComponentKey.meta({ title: '组件' }),
  address: z.string().meta({ title: '地址' }),
  port: z.number().int().nullable().meta({ title: '端口' }),
  state: ComponentState.meta({ title: '状态' }),
  connections: z.number().int().nullable().meta({ title: '连接' }),
  perMinute: z.number().int().nullable().meta({ title: '每分钟' }),
  errors: z.number().int().nullable().meta({ title: '错误' }),
  certificateEnd: Time.nullable().meta({ title: '证书到期' }),
})
export type Component = z.infer<typeof Component>

export const ClientState = z.enum(['online', 'slowed', 'banned'])
export type ClientState = z.infer<typeof ClientState>

/** A device with its own connection, or one that is blocked, temporarily or because it was disabled. */
export const NetworkClient = z.object({
  id: Id,
  name: z.string().meta({ title: '设备' }),
  deviceName: z.string().meta({ title: 'DeviceName' }),
  projectName: z.string().meta({ title: '项目' }),
  address: z.string().meta({ title: 'IP 地址' }),
  /** Null if the device has disconnected since. */
  state: ClientState.nullable().meta({ title: '状态' }),
  onlineTime: Time.nullable().meta({ title: '上线时间' }),
  /** The device connected too often and is blocked until this time. */
  slowedUntil: Time.nullable().meta({ title: '暂停接入到' }),
})
export type NetworkClient = z.infer<typeof NetworkClient>

/** A device with a connection of its own, connected or not. */
export const NetworkClientDetail = NetworkClient.extend({
  projectId: z.number().int(),
  productId: Id,
  productName: z.string().meta({ title: '产品' }),
  productKey: z.string().meta({ title: 'ProductKey' }),
  node: z.enum(['direct', 'gateway']).meta({ title: '节点类型' }),
  reportedTime: Time.nullable().meta({ title: '最近上报' }),
  /** Null if the device is not connected, or if only the external broker knows. */
  connection: z
    .object({
      transport: ComponentKey.exclude(['external', 'http']).meta({ title: '接入组件' }),
      /** Protocol level of MQTT: 4 is version 3.1.1. */
      protocolVersion: z.number().int().meta({ title: '协议版本' }),
      cleanSession: z.boolean().meta({ title: '会话' }),
    })
    .nullable(),
  /** Sub-devices of a gateway: all, and those that are connected through it now. */
  children: z
    .object({ total: z.number().int(), online: z.number().int() })
    .meta({ title: '子设备' }),
  /** Newest refused connections. */
  refusals: z.array(ConnectionRefusal),
})
export type NetworkClientDetail = z.infer<typeof NetworkClientDetail>

export const networkSchemas = {
  list: { input: z.object({}), output: z.array(Component) },
  clients: {
    input: pageQuery({
      name: SearchFilter.optional(),
      address: SearchFilter.optional(),
      state: ClientState.optional(),
    }),
    output: pageResult(NetworkClient),
  },
  get: { input: ById, output: NetworkClientDetail },
  kick: { input: z.object({ id: Id }), output: z.null() },
  refusals: {
    input: pageQuery({
      name: SearchFilter.optional(),
      address: SearchFilter.optional(),
      reason: RefusalReason.optional(),
    }),
    output: pageResult(ConnectionRefusal),
  },
  test: {
    input: z.object({ key: ComponentKey }),
    output: z.object({ ok: z.boolean(), milliseconds: z.number().int(), reason: z.string() }),
  },
}
