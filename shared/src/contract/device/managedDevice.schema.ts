import * as z from '../zod'
import {
  Id,
  row,
  nameField,
  Time,
  SearchFilter,
  revision,
  RowIds,
  SelectedRowIds,
  RowResults,
  ById,
} from '../fields.schema'
import { ProductNodeType } from '../product/product.schema'
import { DeviceState, DesiredValues } from './device.schema'
import { DeviceCommand, DeviceEvent, DeviceLive, DeviceMessage } from './deviceLive.schema'
import { Space } from '../project/project.schema'
import { maxDevicePlaces, deviceImportMax, managedDeviceTitles } from './managedDevice'
import { importTableInput } from '../sheet/sheet.schema'
import { HistoryQuery, DeviceHistory, HistoryExport } from './deviceHistory.schema'
import { Task } from '../sheet/task.schema'
import { resourceSchemas } from '../resource.schema'

const ProjectId = z.number('请选择项目').int('请选择项目').meta({ title: '项目' })
const SpaceId = Id.nullable().meta({ title: '位置' })

/** A registered device as shown in lists. */
export const ManagedDevice = z.object({
  ...row,
  projectId: ProjectId,
  name: nameField(managedDeviceTitles.name),
  deviceName: z
    .string()
    .min(1, '请输入 DeviceName')
    .regex(/^[\w.@:-]{4,32}$/, 'DeviceName 为 4–32 位字母、数字或 -_.@:')
    .max(32)
    .meta({ title: managedDeviceTitles.deviceName }),
  productId: z.uuid('请选择产品').meta({ title: '产品' }),
  productName: z.string().meta({ title: managedDeviceTitles.productName }),
  productKey: z.string().meta({ title: 'ProductKey' }),
  /** The product type is that of the device's product. */
  productType: z.string(),
  node: ProductNodeType,
  /** Innermost space that contains the device. */
  spaceId: SpaceId,
  /** Names of its spaces from the building down; empty without a place. */
  place: z.string().meta({ title: managedDeviceTitles.place }),
  /** Floor of that place, if any, and the position on its plan; see `DevicePlace`. */
  floorId: Id.nullable(),
  x: z.number().nullable(),
  y: z.number().nullable(),
  protected: z.boolean().meta({ title: '受保护' }),
  state: DeviceState.meta({ title: managedDeviceTitles.state }),
  gatewayId: Id.nullable(),
  gatewayName: z.string().meta({ title: managedDeviceTitles.gatewayName }),
  address: z.string().meta({ title: managedDeviceTitles.address }),
  onlineTime: Time.nullable().meta({ title: '最近上线' }),
  reportedTime: Time.nullable().meta({ title: managedDeviceTitles.reportedTime }),
  /** Error of the device clock in ms; null if it is right or unknown. */
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
/** Product and DeviceName cannot change, because the device connects with them. */
export const DeviceChange = DeviceDraft.omit({ productId: true, deviceName: true })

export const DeviceSecret = z.object({
  id: Id,
  name: z.string(),
  productKey: z.string(),
  deviceName: z.string(),
  deviceSecret: z.string(),
})
export type DeviceSecret = z.infer<typeof DeviceSecret>

/** An MQTT client connects as this device with these parameters. */
export const ConnectParameters = z.object({
  name: z.string(),
  /** URL of an external broker; null means the host of the platform with the ports below. */
  mqttUrl: z.string().nullable(),
  mqttPort: z.number().int().nullable(),
  mqttTlsPort: z.number().int().nullable(),
  clientId: z.string(),
  username: z.string(),
  password: z.string(),
  /** The broker refuses new connections after this time; null means until the secret is replaced. */
  expireTime: Time.nullable(),
})
export type ConnectParameters = z.infer<typeof ConnectParameters>

/** A device as a row of a file; product and place are written by their names. */
export const DeviceFileRow = ManagedDevice.pick({
  name: true,
  deviceName: true,
  protected: true,
}).extend({
  productName: z.string().min(1, '请填写产品').max(64, '产品最多 64 个字').meta({ title: '产品' }),
  place: z.string().max(400, '位置最多 400 个字').meta({ title: '位置' }),
})
export type DeviceFileRow = z.infer<typeof DeviceFileRow>

const PlanFraction = z.number().min(0).max(1).nullable()
const PlanPosition = z.object({
  x: PlanFraction.meta({ title: '距左边' }),
  y: PlanFraction.meta({ title: '距上边' }),
})
/**
 * Position on a plan. `was` is the position that the client has read: if the device has moved since, nothing is
 * written; without it the check is skipped. `spaceId` is the room on this floor where the device was dropped; without
 * it the device keeps its room. `wasSpaceId` is the place that the client has read before it chose the room, null for
 * none, and is checked likewise.
 */
export const DevicePlace = PlanPosition.extend({
  id: Id,
  was: PlanPosition.optional(),
  spaceId: Id.optional().meta({ title: '位置' }),
  wasSpaceId: Id.nullable().optional(),
})
export type DevicePlace = z.infer<typeof DevicePlace>

/** Method by which a device can flash: its own service or its switch. */
export const FlashMethod = z.enum(['service', 'switch', 'none'])
export type FlashMethod = z.infer<typeof FlashMethod>
/** Everything that is or could be placed on the plan of a floor. */
export const FloorDevices = z.object({
  projectId: z.number().int(),
  /** Row id of the project, used by its administration page. */
  projectRow: Id.nullable(),
  floor: Space.omit({ parentId: true, sort: true }),
  /** The text names the floor and its building. */
  place: z.string(),
  /** Spaces on the floor, sorted by name. */
  spaces: z.array(z.object({ id: Id, name: z.string() })),
  products: z.array(
    z.object({
      id: Id,
      name: z.string(),
      productType: z.string(),
      typeName: z.string(),
      flash: FlashMethod,
    }),
  ),
  /** Devices of this floor, and devices of the project without a floor, which could be placed here. */
  devices: z.array(
    ManagedDevice.pick({
      id: true,
      name: true,
      deviceName: true,
      productId: true,
      spaceId: true,
      floorId: true,
      x: true,
      y: true,
      state: true,
      protected: true,
    }),
  ),
  /** This many further devices have no floor. */
  left: z.number().int(),
})
export type FloorDevices = z.infer<typeof FloorDevices>

const filters = {
  projectId: ProjectId,
  name: SearchFilter.optional(),
  productId: Id.optional(),
  /** The space includes everything below it. */
  spaceId: Id.optional(),
  /** The filter selects the current members of the group. */
  groupId: Id.optional(),
  gatewayId: Id.optional(),
  state: DeviceState.optional(),
}

export const managedDeviceSchemas = {
  page: resourceSchemas.page({ input: filters, output: ManagedDevice }),
  get: resourceSchemas.get({ output: ManagedDevice }),
  create: resourceSchemas.create({
    input: DeviceDraft.extend({ projectId: ProjectId }),
    output: DeviceSecret,
  }),
  update: resourceSchemas.update({ input: DeviceChange.extend(revision), output: ManagedDevice }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  setStatus: resourceSchemas.setStatus(),
  move: { input: RowIds.extend({ projectId: ProjectId, spaceId: SpaceId }), output: RowResults },
  changeProductCheck: {
    input: RowIds.extend({ productId: ManagedDevice.shape.productId }),
    output: z.object({
      /** The devices need this ProductKey to connect again. */
      productKey: z.string(),
      devices: z.array(
        z.object({
          id: Id,
          name: z.string(),
          refusal: z.string().nullable(),
          /** Names of reported properties that the other model lacks. */
          lacking: z.array(z.string()),
        }),
      ),
      /** Names of scenes that name the devices, and of groups whose rule selects their present product. */
      scenes: z.array(z.string()),
      groups: z.array(z.string()),
      /** Names of alarm rules of their present product, which no longer apply to the devices. */
      alarmRules: z.array(z.string()).default([]),
    }),
  },
  changeProduct: {
    input: RowIds.extend({ productId: ManagedDevice.shape.productId }),
    output: RowResults,
  },
  place: {
    input: z.object({ floorId: Id, places: z.array(DevicePlace).min(1).max(maxDevicePlaces) }),
    output: z.array(
      RowResults.element.extend({
        /** Current position and names of the spaces around it, if they differ from what the client has read. */
        now: PlanPosition.extend({
          place: z.string().optional(),
          updateBy: z.string(),
          updateTime: Time,
        }).optional(),
      }),
    ),
  },
  onFloor: { input: z.object({ floorId: Id }), output: FloorDevices },
  replaceSecret: { input: ById, output: DeviceSecret },
  replaceSecrets: { input: SelectedRowIds, output: Task },
  connectParameters: {
    input: ById.extend({
      days: z
        .number('请选择有效期')
        .int('有效期须为整天')
        .min(1, '有效期为 1–3650 天')
        .max(3650, '有效期为 1–3650 天')
        .nullable()
        .meta({ title: '有效期' }),
    }),
    output: ConnectParameters,
  },
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: {
    ...resourceSchemas.importRows(),
    input: importTableInput(deviceImportMax).extend({ projectId: ProjectId }),
  },
  live: { input: ById, output: DeviceLive },
  events: { input: ById, output: z.array(DeviceEvent) },
  messages: { input: ById, output: z.array(DeviceMessage) },
  commands: { input: ById, output: z.array(DeviceCommand) },
  history: { input: HistoryQuery, output: DeviceHistory },
  exportHistory: { input: HistoryExport, output: Task },
  service: {
    input: ById.extend({ identifier: z.string().max(64), params: DesiredValues }),
    output: z.object({
      code: z.number().int(),
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  },
}
