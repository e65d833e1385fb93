import * as z from '../zod'
import { row, nameField, Time, revision, SearchFilter, Id, ById } from '../fields.schema'
import { ManagedDevice, DeviceFileRow, DeviceSecret } from './managedDevice.schema'
import { deviceRefusalFields } from './connectionRefusal.schema'
import { ImportTable } from '../sheet/sheet.schema'
import { resourceSchemas } from '../resource.schema'
import { edgeHostTitles } from './edgeHost'

/** 降级 means connected, but late with its heartbeat or short of CPU, memory or disk. */
export const EdgeState = z.enum(['inactive', 'online', 'degraded', 'offline', 'disabled'])
export type EdgeState = z.infer<typeof EdgeState>

const UsagePercent = z.number().nullable()
/** The serial is the DeviceName of the host. */
const HostSerial = z
  .string()
  .min(1, '请输入序列号')
  .regex(/^[\w.@:-]{4,32}$/, '序列号为 4–32 位字母、数字或 -_.@:')
  .max(32)
  .meta({ title: edgeHostTitles.deviceName })

/** A gateway seen as the host it runs on. Values that the host has not reported since it last connected are null. */
export const EdgeHost = z.object({
  ...row,
  projectId: ManagedDevice.shape.projectId,
  name: nameField(edgeHostTitles.name),
  deviceName: HostSerial,
  productId: z.uuid('请选择产品').meta({ title: '产品' }),
  productName: z.string().meta({ title: edgeHostTitles.productName }),
  productKey: ManagedDevice.shape.productKey,
  spaceId: ManagedDevice.shape.spaceId,
  place: ManagedDevice.shape.place,
  state: EdgeState.meta({ title: edgeHostTitles.state }),
  /** Explains why the host is `degraded`. */
  why: z.string(),
  address: ManagedDevice.shape.address,
  os: z.string().nullable().meta({ title: edgeHostTitles.os }),
  firmware: z.string().nullable().meta({ title: edgeHostTitles.firmware }),
  heartbeatInterval: z
    .number('请输入心跳间隔')
    .int('心跳间隔须为整数')
    .min(10, '心跳间隔至少 10 秒')
    .max(3600, '心跳间隔最多 3600 秒')
    .meta({ title: '心跳间隔' }),
  heartbeatTime: Time.nullable().meta({ title: edgeHostTitles.heartbeatTime }),
  onlineTime: ManagedDevice.shape.onlineTime,
  cpu: UsagePercent.meta({ title: 'CPU' }),
  memory: UsagePercent.meta({ title: '内存' }),
  disk: UsagePercent.meta({ title: '磁盘' }),
  childCount: z.number().int().meta({ title: edgeHostTitles.childCount }),
  childOnline: z.number().int().meta({ title: '在线子设备' }),
  /** Version of the desired configuration; 0 if there is none. */
  configVersion: z.number().int().meta({ title: edgeHostTitles.configVersion }),
  /** Version that the host reported as applied; null if it reported none. */
  configApplied: z.string().nullable().meta({ title: '已应用版本' }),
  /** Error that the host reported when it could not apply a configuration. */
  configFault: z.string(),
  /** Name of the host that replaced it; empty if none did. */
  replacedBy: z.string().meta({ title: '替换为' }),
})
export type EdgeHost = z.infer<typeof EdgeHost>
export const EdgeHostDetail = EdgeHost.extend({
  /** The product of the host has the service `Restart`. */
  canRestart: z.boolean(),
  configBy: z.string(),
  configTime: Time.nullable(),
  configAppliedTime: Time.nullable(),
  pushTime: Time.nullable(),
  pushFailure: z.string(),
  ...deviceRefusalFields,
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
/** Product and serial cannot change, because the host connects with them. */
export const EdgeHostChange = EdgeHostDraft.omit({ productId: true, deviceName: true })
export const HostReplacement = EdgeHostDraft.pick({ productId: true, name: true, deviceName: true })
export type HostReplacement = z.infer<typeof HostReplacement>

/** A host as a row of a file; product and place are written by their names. */
export const EdgeHostFileRow = EdgeHost.pick({
  name: true,
  deviceName: true,
  heartbeatInterval: true,
}).extend({
  productName: z.string().min(1, '请填写型号').max(64, '型号最多 64 个字').meta({ title: '型号' }),
  place: DeviceFileRow.shape.place,
})
export type EdgeHostFileRow = z.infer<typeof EdgeHostFileRow>

/** Desired configuration of a host; `version` increases with each change of the content. */
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
const filters = {
  projectId,
  name: SearchFilter.optional(),
  spaceId: Id.optional(),
  state: EdgeState.optional(),
}
const GatewayReply = z.object({ code: z.number().int(), message: z.string() })

export const edgeHostSchemas = {
  page: resourceSchemas.page({ input: filters, output: EdgeHost }),
  get: resourceSchemas.get({ output: EdgeHostDetail }),
  create: resourceSchemas.create({
    input: EdgeHostDraft.extend({ projectId }),
    output: DeviceSecret,
  }),
  update: resourceSchemas.update({
    input: EdgeHostChange.extend(revision),
    output: EdgeHostDetail,
  }),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: { ...resourceSchemas.importRows(), input: ImportTable.extend({ projectId }) },
  /** `seenVersion` is the version of the host as it was read; another one is refused. */
  replace: {
    input: ById.extend(HostReplacement.shape).extend({ seenVersion: revision.version }),
    output: DeviceSecret,
  },
  restart: { input: ById, output: GatewayReply },
  config: { input: ById, output: EdgeConfig },
  setConfig: { input: EdgeConfig.omit({ updateBy: true }), output: EdgeConfig },
  push: { input: ById, output: GatewayReply },
}
