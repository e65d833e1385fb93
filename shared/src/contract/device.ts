import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, Time } from './fields'
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
  /** Without `floorId`: every placed device of the project. */
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
  }),
}
