import { z } from 'zod'
import { ConnectionRefusal, RefusalReason } from './connectionRefusal'
import { endpoint } from './endpoint'
import { Id, Search, Time, pageOf, pageQuery } from './fields'

/** Ways into the platform: four of the embedded broker, a broker of its own, and the calls of console and devices. */
export const ComponentKey = z.enum(['tcp', 'tls', 'ws', 'wss', 'external', 'http'])
export type ComponentKey = z.infer<typeof ComponentKey>
export const componentText: Record<ComponentKey, string> = {
  tcp: 'MQTT',
  tls: 'MQTT（TLS）',
  ws: 'MQTT over WebSocket',
  wss: 'MQTT over WebSocket（TLS）',
  external: '外部消息服务',
  http: 'HTTP',
}
export const ComponentState = z.enum(['running', 'off', 'away'])
export const componentStateText: Record<z.infer<typeof ComponentState>, string> = {
  running: '运行中',
  off: '未开启',
  away: '连接中断',
}

/** Figures are of the process that answers, since its start; null where only the broker itself knows. */
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
export const clientStateText: Record<ClientState, string> = {
  online: '在线',
  slowed: '暂停接入',
  banned: '已禁用',
}

/** A device with a connection of its own, or one that is kept out: for a while, or because it was disabled. */
export const NetworkClient = z.object({
  id: Id,
  name: z.string().meta({ title: '设备' }),
  deviceName: z.string().meta({ title: 'DeviceName' }),
  projectName: z.string().meta({ title: '项目' }),
  address: z.string().meta({ title: 'IP 地址' }),
  /** Nothing of one that went meanwhile. */
  state: ClientState.nullable().meta({ title: '状态' }),
  onlineTime: Time.nullable().meta({ title: '上线时间' }),
  /** It connected too often; until then it is not let in. */
  slowedUntil: Time.nullable().meta({ title: '暂停接入到' }),
})
export type NetworkClient = z.infer<typeof NetworkClient>

export const networkApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/network/list',
    title: '接入组件',
    permission: 'system:network:list',
    input: z.object({}),
    output: z.array(Component),
  }),
  clients: endpoint({
    method: 'POST',
    path: '/v1/network/client/page',
    title: '在线客户端',
    permission: 'system:network:query',
    input: pageQuery({
      name: Search.optional(),
      address: Search.optional(),
      state: ClientState.optional(),
    }),
    output: pageOf(NetworkClient),
  }),
  kick: endpoint({
    method: 'POST',
    path: '/v1/network/client/kick',
    title: '断开客户端',
    permission: 'system:network:kick',
    owner: 'platform',
    input: z.object({ id: Id }),
    output: z.null(),
  }),
  /** Connections that were refused, the newest first; those of no registered device only with all projects. */
  refusals: endpoint({
    method: 'POST',
    path: '/v1/network/refusal/page',
    title: '接入拒绝',
    permission: 'system:network:query',
    input: pageQuery({
      name: Search.optional(),
      address: Search.optional(),
      reason: RefusalReason.optional(),
    }),
    output: pageOf(ConnectionRefusal),
  }),
  /** Reaches the component as it is set up, and nothing else: a caller names no address. */
  test: endpoint({
    method: 'POST',
    path: '/v1/network/test',
    title: '连通性测试',
    reads: true,
    permission: 'system:network:test',
    input: z.object({ key: ComponentKey }),
    output: z.object({ ok: z.boolean(), milliseconds: z.number().int(), reason: z.string() }),
  }),
}
