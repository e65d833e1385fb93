import * as z from '../zod'
import { ById, Time, Id, pageQuery, SearchFilter, pageResult } from '../fields.schema'
import { RefusalReason, ConnectionRefusal } from './connectionRefusal.schema'
import { componentTitles, networkClientTitles } from './network'

/**
 * Entry points of the platform: four listeners of the embedded broker, an external broker, and HTTP for console and
 * devices.
 */
export const ComponentKey = z.enum(['tcp', 'tls', 'ws', 'wss', 'external', 'http'])
export type ComponentKey = z.infer<typeof ComponentKey>
export const ComponentState = z.enum(['running', 'off', 'away'])

/** Figures of the answering process since its start; null if they are known to the external broker alone. */
export const Component = z.object({
  key: ComponentKey.meta({ title: componentTitles.key }),
  address: z.string().meta({ title: componentTitles.address }),
  port: z.number().int().nullable().meta({ title: componentTitles.port }),
  state: ComponentState.meta({ title: componentTitles.state }),
  connections: z.number().int().nullable().meta({ title: componentTitles.connections }),
  perMinute: z.number().int().nullable().meta({ title: componentTitles.perMinute }),
  errors: z.number().int().nullable().meta({ title: componentTitles.errors }),
  certificateEnd: Time.nullable().meta({ title: componentTitles.certificateEnd }),
})
export type Component = z.infer<typeof Component>

export const ClientState = z.enum(['online', 'slowed', 'banned'])
export type ClientState = z.infer<typeof ClientState>

/** A device with its own connection, or one that is blocked, temporarily or because it was disabled. */
export const NetworkClient = z.object({
  id: Id,
  name: z.string().meta({ title: networkClientTitles.name }),
  deviceName: z.string().meta({ title: networkClientTitles.deviceName }),
  projectName: z.string().meta({ title: networkClientTitles.projectName }),
  address: z.string().meta({ title: networkClientTitles.address }),
  /** Null if the device has disconnected since. */
  state: ClientState.nullable().meta({ title: networkClientTitles.state }),
  onlineTime: Time.nullable().meta({ title: networkClientTitles.onlineTime }),
  /** The device connected too often and is blocked until this time. */
  slowedUntil: Time.nullable().meta({ title: networkClientTitles.slowedUntil }),
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
