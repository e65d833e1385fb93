import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, pageOf, Search, Time } from './fields'
import { ActionType, ConfirmLevel } from './productType'

export const DeviceState = z.enum(['inactive', 'online', 'offline', 'disabled'])
export type DeviceState = z.infer<typeof DeviceState>

/** Values by identifier of the thing model, as the device speaks them: a switch is 0 or 1. */
export const Values = z.record(z.string(), z.union([z.number(), z.string()]))
export type Values = z.infer<typeof Values>

/** Of these, what is asked of a device. */
export const Setting = z
  .record(z.string().max(64), z.union([z.number(), z.string().max(10_240)]))
  .refine((values) => Object.keys(values).length <= 100, '一次最多设置 100 项')

/** What changes while one looks: pushed over the live channel, part of every device. */
export const LiveState = z.object({
  id: Id,
  state: DeviceState,
  reported: Values,
  reportedTime: Time.nullable(),
  /** Values that were said before the device or the platform was away and not since: of when they are, in milliseconds. */
  stale: z.record(z.string(), z.number()),
  /** What was asked of the device and has not come to its end; never a state. Empty when nothing is under way. */
  desired: Values,
})
export type LiveState = z.infer<typeof LiveState>

/** A device on a floor plan; x and y from 0 to 1, from the upper left. */
export const MapDevice = LiveState.extend({
  name: z.string(),
  productType: z.string(),
  spaceId: z.string(),
  floorId: z.string(),
  x: z.number(),
  y: z.number(),
  protected: z.boolean(),
})
export type MapDevice = z.infer<typeof MapDevice>

/** How the lights of one space stand, those below it not counted; of no space where `spaceId` is empty. */
export const SpaceLights = z.object({
  spaceId: z.string(),
  on: z.number().int(),
  off: z.number().int(),
  offline: z.number().int(),
  unknown: z.number().int(),
  /** Of all of these. */
  protected: z.number().int(),
})
export type SpaceLights = z.infer<typeof SpaceLights>

/** What may be asked of all devices of a type at once; see `productType`. */
export const BulkAction = z.object({
  productType: z.string().max(64),
  actionType: ActionType,
})
export type BulkAction = z.infer<typeof BulkAction>
/** With what its button says and asks. */
export const ActionMode = BulkAction.extend({
  /** Of the product type. */
  typeName: z.string(),
  name: z.string(),
  /** The property that is set. */
  identifier: z.string(),
  confirm: ConfirmLevel,
  showOnHome: z.boolean(),
})
export type ActionMode = z.infer<typeof ActionMode>

export const deviceApi = {
  actionModes: endpoint({
    method: 'GET',
    path: '/v1/device/action/mode',
    title: '批量动作',
    permission: 'session',
    input: z.object({}),
    output: z.array(ActionMode),
  }),
  /** Of a floor; without `floorId` of all floors together, where they are few enough to be read at once. */
  mapInfo: endpoint({
    method: 'GET',
    path: '/v1/device/map/info',
    title: '设备地图',
    permission: 'session',
    input: z.object({
      projectId: z.coerce.number().int().optional(),
      floorId: Id.optional(),
    }),
    output: z.object({ map: z.record(z.string(), MapDevice) }),
  }) /** Devices on plans by name, by the pinyin of it, or by where they stand; what is called so comes first. */,
  search: endpoint({
    method: 'GET',
    path: '/v1/device/search',
    title: '搜索设备',
    permission: 'session',
    input: z.object({
      projectId: z.coerce.number().int(),
      text: Search.trim().min(1, '请输入要搜索的内容'),
      most: z.coerce.number().int().min(1).max(200).default(20),
    }),
    output: pageOf(MapDevice),
  }),
  /** What stands on floors that are not looked at. */
  lights: endpoint({
    method: 'GET',
    path: '/v1/device/map/lights',
    title: '灯的统计',
    permission: 'session',
    input: z.object({ projectId: z.coerce.number().int() }),
    output: z.array(SpaceLights),
  }),
}
