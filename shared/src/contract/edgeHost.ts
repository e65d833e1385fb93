import { z } from 'zod'
import { deviceRefusals } from './connectionRefusal'
import { endpoint } from './endpoint'
import { ById, Id, nameOf, revision, row, Search, Time } from './fields'
import { DeviceLine, DeviceSecret, ManagedDevice } from './managedDevice'
import { resource } from './resource'
import { ImportTable } from './sheet'

/** 降级: connected, but late with its heartbeat, or short of CPU, memory or disk. */
export const EdgeState = z.enum(['inactive', 'online', 'degraded', 'offline', 'disabled'])
export type EdgeState = z.infer<typeof EdgeState>
export const edgeStateText: Record<EdgeState, string> = {
  inactive: '未激活',
  online: '在线',
  degraded: '降级',
  offline: '离线',
  disabled: '禁用',
}
/** Percent of CPU, memory or disk from which a host counts as degraded. */
export const usageMost = 90
/** So many intervals without a heartbeat count as late. */
export const beatsMissed = 3

const Usage = z.number().nullable()
/** Its DeviceName. */
const Serial = z
  .string()
  .min(1, '请输入序列号')
  .regex(/^[\w.@:-]{4,32}$/, '序列号为 4–32 位字母、数字或 -_.@:')
  .max(32)
  .meta({ title: '序列号' })

/** A gateway of the platform as the host it runs on. What the host has not said, or said before it was away, is null. */
export const EdgeHost = z.object({
  ...row,
  projectId: ManagedDevice.shape.projectId,
  name: nameOf('主机名称'),
  deviceName: Serial,
  productId: z.uuid('请选择产品').meta({ title: '产品' }),
  productName: z.string().meta({ title: '型号' }),
  productKey: ManagedDevice.shape.productKey,
  spaceId: ManagedDevice.shape.spaceId,
  place: ManagedDevice.shape.place,
  state: EdgeState.meta({ title: '状态' }),
  /** Why it is degraded. */
  why: z.string(),
  address: ManagedDevice.shape.address,
  os: z.string().nullable().meta({ title: '操作系统' }),
  firmware: z.string().nullable().meta({ title: '软件版本' }),
  heartbeatInterval: z
    .number('请输入心跳间隔')
    .int('心跳间隔须为整数')
    .min(10, '心跳间隔至少 10 秒')
    .max(3600, '心跳间隔最多 3600 秒')
    .meta({ title: '心跳间隔' }),
  heartbeatTime: Time.nullable().meta({ title: '最近心跳' }),
  onlineTime: ManagedDevice.shape.onlineTime,
  cpu: Usage.meta({ title: 'CPU' }),
  memory: Usage.meta({ title: '内存' }),
  disk: Usage.meta({ title: '磁盘' }),
  childCount: z.number().int().meta({ title: '子设备' }),
  childOnline: z.number().int().meta({ title: '在线子设备' }),
  /** Of the configuration that is wished for; 0 for none. */
  configVersion: z.number().int().meta({ title: '配置版本' }),
  /** As the host told; null where it told nothing. */
  configApplied: z.string().nullable().meta({ title: '已应用版本' }),
  /** What the host said when it could not apply one. */
  configFault: z.string(),
  /** The host that took its place, by name; empty where none did. */
  replacedBy: z.string().meta({ title: '替换为' }),
})
export type EdgeHost = z.infer<typeof EdgeHost>
export const EdgeHostDetail = EdgeHost.extend({
  /** Whether its product has the service `Restart`. */
  canRestart: z.boolean(),
  configBy: z.string(),
  configTime: Time.nullable(),
  configAppliedTime: Time.nullable(),
  pushTime: Time.nullable(),
  pushFailure: z.string(),
  ...deviceRefusals,
})
export type EdgeHostDetail = z.infer<typeof EdgeHostDetail>

export const EdgeHostDraft = EdgeHost.pick({
  productId: true,
  name: true,
  deviceName: true,
  spaceId: true,
  heartbeatInterval: true,
})
export type EdgeHostDraft = z.infer<typeof EdgeHostDraft>
/** It connects by product and serial. */
export const EdgeHostChange = EdgeHostDraft.omit({ productId: true, deviceName: true })
export const Replacement = EdgeHostDraft.pick({ productId: true, name: true, deviceName: true })
export type Replacement = z.infer<typeof Replacement>

/** A host as a row of a file: product and place by what people call them. */
export const EdgeHostLine = EdgeHost.pick({
  name: true,
  deviceName: true,
  heartbeatInterval: true,
}).extend({
  productName: z.string().min(1, '请填写型号').max(64, '型号最多 64 个字').meta({ title: '型号' }),
  place: DeviceLine.shape.place,
})
export type EdgeHostLine = z.infer<typeof EdgeHostLine>

/** What a host is to be configured with; `version` counts the contents. */
export const EdgeConfig = z.object({
  ...revision,
  content: z
    .string()
    .min(1, '请输入配置内容')
    .max(65_536, '配置内容最多 65536 个字')
    .meta({ title: '配置内容' }),
  updateBy: z.string(),
})
export type EdgeConfig = z.infer<typeof EdgeConfig>

const projectId = ManagedDevice.shape.projectId
const hosts = resource('deviceAccess', 'edgeHost', '边缘主机')
const code = (verb: string) => `deviceAccess:edgeHost:${verb}` as const
const filters = {
  projectId,
  name: Search.optional(),
  spaceId: Id.optional(),
  state: EdgeState.optional(),
}
const Answer = z.object({ code: z.number().int(), message: z.string() })

/** Gateways of a project as hosts. Disabled, deleted and given a new secret they are as devices, by `managedDeviceApi`. */
export const edgeHostApi = {
  page: hosts.page({ input: filters, output: EdgeHost }),
  get: hosts.get({ output: EdgeHostDetail }),
  /** The secret is shown this once. */
  create: endpoint({
    ...hosts.create({ input: EdgeHostDraft.extend({ projectId }), output: DeviceSecret }),
    title: '登记边缘主机',
  }),
  update: hosts.update({ input: EdgeHostChange.extend(revision), output: EdgeHostDetail }),
  exportRows: hosts.exportRows({ input: filters }),
  /** Their secrets are a file of the task that is taken once. */
  importRows: endpoint({
    ...hosts.importRows(),
    title: '批量登记边缘主机',
    input: ImportTable.extend({ projectId }),
  }),
  /** A new serial with a new secret takes over the children, the configuration and the place; the old one is disabled. */
  replace: endpoint({
    method: 'POST',
    path: '/v1/edge-host/{id}/replace',
    title: '替换边缘主机',
    permission: code('replace'),
    input: ById.extend(Replacement.shape),
    output: DeviceSecret,
  }),
  /** Asks the host to start anew and brings its answer. */
  restart: endpoint({
    method: 'POST',
    path: '/v1/edge-host/{id}/restart',
    title: '重启边缘主机',
    permission: code('restart'),
    input: ById,
    output: Answer,
  }),
  config: endpoint({
    method: 'GET',
    path: '/v1/edge-host/{id}/config',
    title: '查看边缘主机配置',
    permission: code('config'),
    input: ById,
    output: EdgeConfig,
  }),
  /** Makes the next version. The host does not have it before it is pushed, or asked for by the host. */
  setConfig: endpoint({
    method: 'PUT',
    path: '/v1/edge-host/{id}/config',
    title: '修改边缘主机配置',
    permission: code('config'),
    input: EdgeConfig.omit({ updateBy: true }),
    output: EdgeConfig,
  }),
  push: endpoint({
    method: 'POST',
    path: '/v1/edge-host/{id}/push',
    title: '推送边缘主机配置',
    permission: code('config'),
    input: ById,
    output: Answer,
  }),
}
