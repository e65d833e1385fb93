import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, pageOf, Search, Time } from './fields'
import { ActionType, ConfirmLevel } from './productType'

export const DeviceState = z.enum(['inactive', 'online', 'offline', 'disabled'])
export type DeviceState = z.infer<typeof DeviceState>

/** Instead of the name of one that is not in the project any more. */
export const lostDevice = '已删除或移走的设备'

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
export interface LiveState extends z.infer<typeof LiveState> {}

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
export interface MapDevice extends z.infer<typeof MapDevice> {}

/** A device that was looked for, wherever it stands, and whether or not it is on a plan. */
export const FoundDevice = MapDevice.omit({ floorId: true, x: true, y: true }).extend({
  deviceName: z.string(),
  /** Of the plan it stands on; null where it stands on none. */
  floorId: z.string().nullable(),
})
export interface FoundDevice extends z.infer<typeof FoundDevice> {}

/** How the lights of one space stand, those below it not counted; of no space where `spaceId` is empty. */
export const SpaceLights = z.object({
  spaceId: z.string(),
  on: z.number().int(),
  off: z.number().int(),
  offline: z.number().int(),
  unknown: z.number().int(),
  /** Of all of these. */
  protected: z.number().int(),
  /** Of all of these, what an action for many reaches: online and not protected. */
  reachable: z.number().int(),
})
export interface SpaceLights extends z.infer<typeof SpaceLights> {}

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
export interface ActionMode extends z.infer<typeof ActionMode> {}

/**
 * What is wrong now: an edge host that is down, a reported fault, a command that failed, a scene that did not run by itself,
 * a device away, light for nobody.
 */
export const ProblemKind = z.enum(['edge', 'fault', 'failed', 'timeout', 'scene', 'offline', 'lit'])
export type ProblemKind = z.infer<typeof ProblemKind>
export const Problem = z.object({
  kind: ProblemKind,
  /** Of the device; of the space where it is light for nobody; of the scene that did not run. */
  id: Id,
  name: z.string(),
  spaceId: z.string(),
  floorId: Id.nullable(),
  reason: z.string(),
  /** Since when, or of when the last word is; unknown where it never said anything. */
  since: Time.nullable(),
  /** Lamps that burn for nobody, as far as an action for many reaches them. */
  deviceIds: z.array(Id),
})
export type Problem = z.infer<typeof Problem>

/** What the sensors of a floor say together; unknown where there is none that can be heard. */
export const FloorMeasure = z.object({
  floorId: Id,
  /** °C */
  temperature: z.number().nullable(),
  /** % */
  humidity: z.number().nullable(),
  /** kW, of its meters. */
  power: z.number().nullable(),
})
export type FloorMeasure = z.infer<typeof FloorMeasure>

/** What one wants to know of a lamp beside its state. */
export const DeviceCard = z.object({
  id: Id,
  productName: z.string(),
  /** W */
  ratedPower: z.number().nullable(),
  gateway: z.object({ name: z.string(), state: DeviceState }).nullable(),
  /** What can be set beside the switch: brightness and colour temperature, as the model has them. */
  adjustable: z.array(
    z.object({
      identifier: z.string(),
      name: z.string(),
      min: z.number(),
      max: z.number(),
      step: z.number(),
      unit: z.string(),
    }),
  ),
  /** It can be asked to make itself seen. */
  canIdentify: z.boolean(),
  /** The unit of the power it measures itself. */
  powerUnit: z.string(),
  last: z
    .object({
      title: z.string(),
      createBy: z.string(),
      state: z.string(),
      reason: z.string(),
      time: Time,
    })
    .nullable(),
})
export type DeviceCard = z.infer<typeof DeviceCard>

/** Devices of a type, by state. */
export const TypeCount = z.object({
  productType: z.string(),
  /** Of a type that has no row, the name of its one product, else its code. */
  typeName: z.string(),
  online: z.number().int(),
  offline: z.number().int(),
  inactive: z.number().int(),
  disabled: z.number().int(),
})
export type TypeCount = z.infer<typeof TypeCount>

const ByProject = z.object({ projectId: z.coerce.number().int() })
/** All of a project, those of a space and below it, or those a group means now. */
const Among = ByProject.extend({ spaceId: Id.optional(), groupId: Id.optional() })

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
  }),
  /** Devices by words in any order, each in the name, the DeviceName, the pinyin or the place; what is called so comes first. */
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
    output: pageOf(FoundDevice),
  }),
  /** Devices whose name or DeviceName stands in a sentence, the longest names first. */
  named: endpoint({
    method: 'POST',
    path: '/v1/device/named',
    title: '口令里的设备',
    reads: true,
    permission: 'session',
    input: z.object({
      projectId: z.number().int(),
      sentence: z.string().trim().min(1, '请输入口令').max(200, '口令最多 200 个字'),
    }),
    output: z.object({ list: z.array(FoundDevice) }),
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
  problems: endpoint({
    method: 'GET',
    path: '/v1/device/problems',
    title: '现在的问题',
    permission: 'session',
    input: Among,
    /** The first of each kind; `counts` are all of them. */
    output: z.object({
      list: z.array(Problem),
      counts: z.record(ProblemKind, z.number().int()),
      /** By floor, how many there are. */
      floors: z.record(z.string(), z.number().int()),
      /** Devices that are registered and were never connected; they are no problem. */
      inactive: z.number().int(),
      /** Why none is reported whatever happens; empty where they are. */
      quietReason: z.string(),
    }),
  }),
  floors: endpoint({
    method: 'GET',
    path: '/v1/device/map/floors',
    title: '楼层环境',
    permission: 'session',
    input: ByProject,
    output: z.array(FloorMeasure),
  }),
  /** How many devices of each type there are. */
  types: endpoint({
    method: 'GET',
    path: '/v1/device/types',
    title: '设备统计',
    permission: 'session',
    input: Among,
    output: z.array(TypeCount),
  }),
  card: endpoint({
    method: 'GET',
    path: '/v1/device/{id}/card',
    title: '设备卡片',
    permission: 'session',
    input: z.object({ id: Id }),
    output: DeviceCard,
  }),
  /** A value over the last 24 hours, gathered to a quarter of an hour; of text nothing. */
  curve: endpoint({
    method: 'GET',
    path: '/v1/device/{id}/curve',
    title: '24 小时曲线',
    permission: 'session',
    input: z.object({ id: Id, identifier: z.string().max(64) }),
    output: z.array(z.object({ time: Time, value: z.number() })),
  }),
}
