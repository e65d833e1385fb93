import { z } from 'zod'
import { deviceRefusals } from './connectionRefusal'
import { LedgerState } from './control'
import { ProductControl } from './controlType'
import { DeviceState, Setting, Values } from './device'
import { DeviceHistory, HistoryAsked, HistoryExport } from './deviceHistory'
import { endpoint } from './endpoint'
import { ById, Id, Ids, nameOf, PerRow, revision, row, Search, Time } from './fields'
import { Node } from './product'
import { Space } from './project'
import { resource } from './resource'
import { importTable } from './sheet'
import { Task } from './task'
import { ThingModel } from './thingModel'

export const deviceStateText: Record<DeviceState, string> = {
  inactive: '未激活',
  online: '在线',
  offline: '离线',
  disabled: '禁用',
}

const ProjectId = z.number('请选择项目').int('请选择项目').meta({ title: '项目' })
const SpaceId = Id.nullable().meta({ title: '位置' })

/** A device as it is registered and stands in lists. */
export const ManagedDevice = z.object({
  ...row,
  projectId: ProjectId,
  name: nameOf('设备名称'),
  deviceName: z
    .string()
    .min(1, '请输入 DeviceName')
    .regex(/^[\w.@:-]{4,32}$/, 'DeviceName 为 4–32 位字母、数字或 -_.@:')
    .max(32)
    .meta({ title: 'DeviceName' }),
  productId: z.uuid('请选择产品').meta({ title: '产品' }),
  productName: z.string().meta({ title: '产品' }),
  productKey: z.string().meta({ title: 'ProductKey' }),
  /** Of its product. */
  productType: z.string(),
  node: Node,
  /** The innermost space it stands in. */
  spaceId: SpaceId,
  /** Its names from the building down; empty where it has no place. */
  place: z.string().meta({ title: '位置' }),
  /** The floor of that place, if it is on one, and where on its plan; see `DevicePlace`. */
  floorId: Id.nullable(),
  x: z.number().nullable(),
  y: z.number().nullable(),
  protected: z.boolean().meta({ title: '受保护' }),
  state: DeviceState.meta({ title: '状态' }),
  gatewayId: Id.nullable(),
  gatewayName: z.string().meta({ title: '所属网关' }),
  address: z.string().meta({ title: 'IP 地址' }),
  onlineTime: Time.nullable().meta({ title: '最近上线' }),
  reportedTime: Time.nullable().meta({ title: '最近上报' }),
  /** Offset of its clock in milliseconds; null where the clock is right or unknown. */
  clockOffsetMs: z.number().nullable().default(null).meta({ title: '时钟偏差' }),
})
export type ManagedDevice = z.infer<typeof ManagedDevice>

export const DeviceDraft = ManagedDevice.pick({
  productId: true,
  deviceName: true,
  name: true,
  spaceId: true,
  protected: true,
})
export type DeviceDraft = z.infer<typeof DeviceDraft>
/** What stays open once it is registered: it connects by product and DeviceName. */
export const DeviceChange = DeviceDraft.omit({ productId: true, deviceName: true })

export const DeviceSecret = z.object({
  id: Id,
  name: z.string(),
  productKey: z.string(),
  deviceName: z.string(),
  deviceSecret: z.string(),
})
export type DeviceSecret = z.infer<typeof DeviceSecret>

/** What it says and what is asked of it, with the model that names both. */
export const DeviceLive = z.object({
  model: ThingModel,
  /** Of its product: they say how a property is set. */
  controls: z.array(ProductControl),
  state: DeviceState,
  ...deviceRefusals,
  reported: Values,
  /** Of when each value is, in milliseconds; by the device's own clock where it told. */
  reportedAt: z.record(z.string(), z.number()),
  stale: z.record(z.string(), z.number()),
  desired: Values,
  clockOffsetMs: z.number().nullable().default(null),
  /** Last dropped values, by identifier. */
  dropped: z.record(z.string(), z.object({ reason: z.string(), time: Time })).default({}),
  tags: z.array(z.object({ key: z.string(), value: z.string(), time: Time })),
  firmware: z.array(
    z.object({
      module: z.string(),
      version: z.string(),
      step: z.number().int().nullable(),
      description: z.string(),
      time: Time,
    }),
  ),
})
export type DeviceLive = z.infer<typeof DeviceLive>

export const DeviceEvent = z.object({
  id: Id,
  identifier: z.string(),
  type: z.enum(['info', 'alert', 'error']),
  params: z.record(z.string(), z.unknown()),
  time: Time,
})
export type DeviceEvent = z.infer<typeof DeviceEvent>

export const DeviceMessage = z.object({
  id: Id,
  direction: z.enum(['up', 'down']),
  topic: z.string(),
  payload: z.string(),
  time: Time,
})
export type DeviceMessage = z.infer<typeof DeviceMessage>

/** A command on its way, station by station: how far it came, and where it stopped. */
export const Hop = z.object({
  at: z.enum(['user', 'platform', 'broker', 'gateway', 'device', 'answer']),
  name: z.string(),
  state: z.enum(['done', 'waiting', 'failed', 'unknown']),
  text: z.string(),
  time: Time.nullable(),
})
export type Hop = z.infer<typeof Hop>
export const DeviceCommand = z.object({
  /** Of the control task, or of the call of a service. */
  taskId: Id,
  /** Identifier of the service that was called. */
  service: z.string().optional(),
  title: z.string(),
  state: LedgerState,
  target: Values,
  /** What the service brought, as JSON text; it is cut where it is long. */
  output: z.string().optional(),
  time: Time,
  hops: z.array(Hop),
})
export type DeviceCommand = z.infer<typeof DeviceCommand>

export const deviceImportMax = 10_000
export const placesMost = 2000
/** A device as a row of a file: product and place by what people call them. */
export const DeviceLine = ManagedDevice.pick({
  name: true,
  deviceName: true,
  protected: true,
}).extend({
  productName: z.string().min(1, '请填写产品').max(64, '产品最多 64 个字').meta({ title: '产品' }),
  place: z.string().max(400, '位置最多 400 个字').meta({ title: '位置' }),
})
export type DeviceLine = z.infer<typeof DeviceLine>

const Share = z.number().min(0).max(1).nullable()
const OnPlan = z.object({
  x: Share.meta({ title: '距左边' }),
  y: Share.meta({ title: '距上边' }),
})
/**
 * `was`: where it hung when it was read. Where it hangs elsewhere by now, nothing is written; without it nobody asks.
 * `spaceId`: the room of this floor that it was dropped into; without it the room of who has one stays.
 */
export const DevicePlace = OnPlan.extend({
  ...{ id: Id, was: OnPlan.optional() },
  spaceId: Id.optional().meta({ title: '位置' }),
})
export type DevicePlace = z.infer<typeof DevicePlace>

/** How a device can make itself seen: by its own service, or by its switch. */
export const Flash = z.enum(['service', 'switch', 'none'])
export type Flash = z.infer<typeof Flash>
/** All that hangs on the plan of a floor, or could. */
export const FloorDevices = z.object({
  projectId: z.number().int(),
  /** Its row, which is administered by this id. */
  projectRow: Id.nullable(),
  floor: Space.omit({ parentId: true, sort: true }),
  /** With the building above it. */
  place: z.string(),
  /** Inside the floor, by name. */
  spaces: z.array(z.object({ id: Id, name: z.string() })),
  products: z.array(
    z.object({
      id: Id,
      name: z.string(),
      productType: z.string(),
      typeName: z.string(),
      flash: Flash,
    }),
  ),
  /** Of this floor, and those of the project that are on no floor yet and could be on this one. */
  devices: z.array(
    ManagedDevice.pick({
      ...{ id: true, name: true, deviceName: true, productId: true, spaceId: true },
      ...{ floorId: true, x: true, y: true, state: true, protected: true },
    }),
  ),
  /** How many more are on no floor. */
  left: z.number().int(),
})
export type FloorDevices = z.infer<typeof FloorDevices>

const filters = {
  projectId: ProjectId,
  name: Search.optional(),
  productId: Id.optional(),
  /** With all that lies in it. */
  spaceId: Id.optional(),
  /** Those it means now. */
  groupId: Id.optional(),
  gatewayId: Id.optional(),
  state: DeviceState.optional(),
}
const devices = resource('deviceAccess', 'device', '设备')
/** Without its schemas: the browser leaves those out of what is written below only. */
const read = (what: string, title: string) =>
  ({
    method: 'GET',
    path: `/v1/device/{id}/${what}`,
    title,
    permission: 'deviceAccess:device:query',
  }) as const

/** Devices of a project; those of another are answered as if they were not there. */
export const managedDeviceApi = {
  page: devices.page({ input: filters, output: ManagedDevice }),
  get: devices.get({ output: ManagedDevice }),
  /** The secret is shown this once. */
  create: endpoint({
    ...devices.create({
      input: DeviceDraft.extend({ projectId: ProjectId }),
      output: DeviceSecret,
    }),
    title: '登记设备',
  }),
  update: devices.update({ input: DeviceChange.extend(revision), output: ManagedDevice }),
  remove: devices.remove(),
  removeMany: devices.removeMany(),
  /** What is disabled loses its connection at once. */
  setStatus: devices.setStatus(),
  /** To another project, or to another place of its own. Its history stays where it was made. */
  move: endpoint({
    method: 'POST',
    path: '/v1/device/move',
    title: '移动设备',
    permission: 'deviceAccess:device:edit',
    input: Ids.extend({ projectId: ProjectId, spaceId: SpaceId }),
    output: PerRow,
  }),
  /**
   * Where they hang on the plan of their floor, in shares of its width and height; `null` takes one off the plan. What is
   * on no floor yet comes to this one with its place.
   */
  place: endpoint({
    method: 'POST',
    path: '/v1/device/place',
    title: '摆放设备',
    permission: 'deviceAccess:device:edit',
    input: z.object({ floorId: Id, places: z.array(DevicePlace).min(1).max(placesMost) }),
    output: z.array(
      PerRow.element.extend({
        /** Where it hangs by now, where that is not where it was. */
        now: OnPlan.extend({ updateBy: z.string(), updateTime: Time }).optional(),
      }),
    ),
  }),
  onFloor: endpoint({
    method: 'GET',
    path: '/v1/device/floor',
    title: '楼层的设备',
    permission: 'deviceAccess:device:list',
    input: z.object({ floorId: Id }),
    output: FloorDevices,
  }),
  /** A new secret, shown this once; the device has to be given it before it connects again. */
  replaceSecret: endpoint({
    method: 'POST',
    path: '/v1/device/{id}/secret',
    title: '更换设备密钥',
    permission: 'deviceAccess:device:secret',
    input: ById,
    output: DeviceSecret,
  }),
  exportRows: devices.exportRows({ input: filters }),
  /** Their secrets are a file of the task that is taken once. */
  importRows: endpoint({
    ...devices.importRows(),
    title: '批量登记设备',
    input: importTable(deviceImportMax).extend({ projectId: ProjectId }),
  }),
  live: endpoint({ ...read('live', '设备实时数据'), input: ById, output: DeviceLive }),
  /** The newest, as those below. */
  events: endpoint({ ...read('events', '设备事件'), input: ById, output: z.array(DeviceEvent) }),
  messages: endpoint({
    ...read('messages', '设备报文'),
    input: ById,
    output: z.array(DeviceMessage),
  }),
  commands: endpoint({
    ...read('commands', '设备下发记录'),
    input: ById,
    output: z.array(DeviceCommand),
  }),
  /** What one property was while it stood in its project. */
  history: endpoint({
    ...read('history', '设备历史数据'),
    input: HistoryAsked,
    output: DeviceHistory,
  }),
  exportHistory: endpoint({
    method: 'POST',
    path: '/v1/device/{id}/history/export',
    title: '导出设备历史数据',
    permission: 'deviceAccess:device:export',
    input: HistoryExport,
    output: Task,
  }),
  /** Asks for the right to control one device. Structures and arrays come as JSON text. */
  service: endpoint({
    method: 'POST',
    path: '/v1/device/{id}/service',
    title: '调用设备服务',
    permission: 'session',
    input: ById.extend({ identifier: z.string().max(64), params: Setting }),
    output: z.object({
      code: z.number().int(),
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  }),
}
