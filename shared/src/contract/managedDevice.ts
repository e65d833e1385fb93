import { z } from 'zod'
import { DeviceState } from './device'
import { endpoint } from './endpoint'
import { Id, Ids, nameOf, PerRow, revision, row, Search, Time } from './fields'
import { Node } from './product'
import { resource } from './resource'

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
  node: Node,
  /** The innermost space it stands in. */
  spaceId: SpaceId,
  /** Its names from the building down; empty where it has no place. */
  place: z.string().meta({ title: '位置' }),
  protected: z.boolean().meta({ title: '受保护' }),
  state: DeviceState.meta({ title: '状态' }),
  gatewayId: Id.nullable(),
  gatewayName: z.string().meta({ title: '所属网关' }),
  address: z.string().meta({ title: 'IP 地址' }),
  onlineTime: Time.nullable().meta({ title: '最近上线' }),
  reportedTime: Time.nullable().meta({ title: '最近上报' }),
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

const filters = {
  projectId: ProjectId,
  name: Search.optional(),
  productId: Id.optional(),
  /** With all that lies in it. */
  spaceId: Id.optional(),
  state: DeviceState.optional(),
}
const devices = resource('deviceAccess', 'device', '设备')

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
  /** A new secret, shown this once; the device has to be given it before it connects again. */
  replaceSecret: endpoint({
    method: 'POST',
    path: '/v1/device/{id}/secret',
    title: '更换设备密钥',
    permission: 'deviceAccess:device:secret',
    input: z.object({ id: Id }),
    output: DeviceSecret,
  }),
  exportRows: devices.exportRows({ input: filters }),
}
