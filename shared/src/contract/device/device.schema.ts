import * as z from '../zod'
import type { LightCounts } from '../control/light'
import { Id, Time, SearchFilter, pageResult } from '../fields.schema'
import { ActionType, ConfirmLevel } from '../product/productType.schema'
import { maxSentenceLength, sentenceTooLong } from './sentenceLength'

export const DeviceState = z.enum(['inactive', 'online', 'offline', 'disabled'])
export type DeviceState = z.infer<typeof DeviceState>

/** Values by identifier of the thing model, in the device's encoding: a switch is 0 or 1. */
export const Values = z.record(z.string(), z.union([z.number(), z.string()]))
export type Values = z.infer<typeof Values>

/** A command sets these values, by identifier of the thing model. */
export const DesiredValues = z
  .record(z.string().max(64), z.union([z.number(), z.string().max(10_240)]))
  .refine((values) => Object.keys(values).length <= 100, '一次最多设置 100 项')

/** Fields that change while a page is open; the live channel pushes them. */
export const LiveState = z.object({
  id: Id,
  state: DeviceState,
  reported: Values,
  reportedTime: Time.nullable(),
  /** Times in ms of stale values: those last reported before the device or the platform was offline. */
  stale: z.record(z.string(), z.number()),
  /** Desired values of commands in flight, never a reported state; empty if none are in flight. */
  desired: Values,
})
export interface LiveState extends z.infer<typeof LiveState> {}

/** A device on a floor plan; x and y run from 0 to 1, from the upper left. */
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

/** A search result may be on any floor or on none. */
export const DeviceSearchResult = MapDevice.omit({ floorId: true, x: true, y: true }).extend({
  deviceName: z.string(),
  /** Floor on whose plan the device is placed; null if it is on none. */
  floorId: z.string().nullable(),
})
export interface DeviceSearchResult extends z.infer<typeof DeviceSearchResult> {}

const lightCounts = {
  on: z.number().int(),
  off: z.number().int(),
  offline: z.number().int(),
  /** These lights have never connected. */
  inactive: z.number().int(),
  unknown: z.number().int(),
  /** This many of all counted lights are protected. */
  protected: z.number().int(),
  /** A bulk action reaches this many lights: those online and not protected. */
  reachable: z.number().int(),
} satisfies Record<keyof LightCounts, z.ZodType>

/** Light counts of one space without those below it; an empty `spaceId` means lights without a space. */
export const SpaceLights = z.object({ spaceId: z.string(), ...lightCounts })
export interface SpaceLights extends z.infer<typeof SpaceLights> {}

/** A bulk action on all devices of a type; see `productType`. */
export const BulkAction = z.object({
  productType: z.string().max(64),
  actionType: ActionType,
})
export type BulkAction = z.infer<typeof BulkAction>
/** A bulk action with the texts of its button and confirmation. */
export const ActionMode = BulkAction.extend({
  /** The name is that of the product type. */
  typeName: z.string(),
  name: z.string(),
  /** Identifier of the property that is set. */
  identifier: z.string(),
  confirm: ConfirmLevel,
  showOnHome: z.boolean(),
})
export interface ActionMode extends z.infer<typeof ActionMode> {}

/**
 * Kinds of current problems in the order in which they are listed: an edge host that is down, a reported fault, a
 * failed command, a missed scene run, an offline device, or lights on in an empty space.
 */
export const ProblemKind = z.enum([
  'edge',
  'fault',
  'failed',
  'timeout',
  'scene',
  'backup',
  'offline',
  'lit',
])
export type ProblemKind = z.infer<typeof ProblemKind>
export const Problem = z.object({
  kind: ProblemKind,
  /** Id of the device, of the space with lights on, of the scene that did not run, or of a backup. */
  id: Id,
  name: z.string(),
  spaceId: z.string(),
  floorId: Id.nullable(),
  reason: z.string(),
  /** Start of the problem or time of the last message; null if there was none. */
  since: Time.nullable(),
  /** Lights on in an empty space, as far as a bulk action reaches them. */
  deviceIds: z.array(Id),
})
export type Problem = z.infer<typeof Problem>

/** Combined sensor values of a floor; null if no sensor is online. */
export const FloorMeasure = z.object({
  floorId: Id,
  /** The unit is °C. */
  temperature: z.number().nullable(),
  /** The unit is %. */
  humidity: z.number().nullable(),
  /** Power of the floor's meters in kW. */
  power: z.number().nullable(),
})
export type FloorMeasure = z.infer<typeof FloorMeasure>

/** A property that a slider sets: brightness or colour temperature, with the limits of the model. */
export const AdjustableProperty = z.object({
  identifier: z.string(),
  name: z.string(),
  min: z.number(),
  max: z.number(),
  step: z.number(),
  unit: z.string(),
})
export type AdjustableProperty = z.infer<typeof AdjustableProperty>

/** Details of a light besides its state. */
export const DeviceCard = z.object({
  id: Id,
  productName: z.string(),
  /** The unit is W. */
  ratedPower: z.number().nullable(),
  gateway: z.object({ name: z.string(), state: DeviceState }).nullable(),
  /** Adjustable properties besides the switch, if the model has them. */
  adjustable: z.array(AdjustableProperty),
  /** The device has a service that makes it flash. */
  canIdentify: z.boolean(),
  /** The power that the device itself measures has this unit. */
  powerUnit: z.string(),
  /** The switch has had its reported value since this time; null if the history holds no other value. */
  since: Time.nullable().default(null),
  last: z
    .object({
      title: z.string(),
      createBy: z.string(),
      createByName: z.string(),
      state: z.string(),
      reason: z.string(),
      time: Time,
    })
    .nullable(),
})
export type DeviceCard = z.infer<typeof DeviceCard>

/** Number of devices of one type by state. */
export const TypeCount = z.object({
  productType: z.string(),
  /** Name of the type; if the type has no row, that of its only product, else its code. */
  typeName: z.string(),
  online: z.number().int(),
  offline: z.number().int(),
  inactive: z.number().int(),
  disabled: z.number().int(),
})
export type TypeCount = z.infer<typeof TypeCount>

const ByProject = z.object({ projectId: z.coerce.number().int() })
/** Devices of a project, of a space with everything below it, or of the current members of a group. */
const DeviceFilter = ByProject.extend({ spaceId: Id.optional(), groupId: Id.optional() })

export const deviceSchemas = {
  actionModes: { input: z.object({}), output: z.array(ActionMode) },
  mapInfo: {
    input: z.object({
      projectId: z.coerce.number().int().optional(),
      floorId: Id.optional(),
    }),
    output: z.object({ map: z.record(z.string(), MapDevice) }),
  },
  search: {
    input: z.object({
      projectId: z.coerce.number().int(),
      text: SearchFilter.trim().min(1, '请输入要搜索的内容'),
      most: z.coerce.number().int().min(1).max(200).default(20),
    }),
    output: pageResult(DeviceSearchResult),
  },
  named: {
    input: z.object({
      projectId: z.number().int(),
      sentence: z.string().trim().min(1, '请输入口令').max(maxSentenceLength, sentenceTooLong),
    }),
    output: z.object({ list: z.array(DeviceSearchResult) }),
  },
  lights: { input: z.object({ projectId: z.coerce.number().int() }), output: z.array(SpaceLights) },
  problems: {
    input: DeviceFilter,
    /** The list holds the first problems of each kind; `counts` cover all. */
    output: z.object({
      list: z.array(Problem),
      counts: z.record(ProblemKind, z.number().int()),
      /** Incidents of alarm rules that are not resolved are counted by floor id. */
      floors: z.record(z.string(), z.number().int()),
      /** Registered devices that were never connected; they are no problem. */
      inactive: z.number().int(),
      /** Why the project reports no problems at all; empty if it does. */
      quietReason: z.string(),
    }),
  },
  floors: { input: ByProject, output: z.array(FloorMeasure) },
  types: { input: DeviceFilter, output: z.array(TypeCount) },
  card: { input: z.object({ id: Id }), output: DeviceCard },
  adjustable: {
    input: z.object({
      projectId: z.number().int(),
      deviceIds: z.array(Id).min(1, '请选择设备').max(10_000, '设备最多 10000 台'),
    }),
    /** The limits are those that all devices with the property accept; `deviceIds` are these devices. */
    output: z.object({
      list: z.array(AdjustableProperty.extend({ deviceIds: z.array(Id) })),
    }),
  },
  curve: {
    input: z.object({ id: Id, identifier: z.string().max(64) }),
    output: z.array(z.object({ time: Time, value: z.number() })),
  },
}
