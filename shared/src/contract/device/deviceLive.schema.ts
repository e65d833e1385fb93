import * as z from '../zod'
import { Id, Time } from '../fields.schema'
import { LedgerState } from '../control/control.schema'
import { ProductControl } from '../product/controlType.schema'
import { ThingModel } from '../thingModel/thingModel.schema'
import { deviceRefusalFields } from './connectionRefusal.schema'
import { DeviceState, Values } from './device.schema'

/** Reported and desired values of a device with its model. */
export const DeviceLive = z.object({
  model: ThingModel,
  /** Control types of the product, which choose the widgets. */
  controls: z.array(ProductControl),
  state: DeviceState,
  ...deviceRefusalFields,
  reported: Values,
  /** Each value has a time in ms, by the device's clock if it sent one. */
  reportedAt: z.record(z.string(), z.number()),
  stale: z.record(z.string(), z.number()),
  desired: Values,
  clockOffsetMs: z.number().nullable().default(null),
  /** The last dropped values are listed by identifier. */
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

/** A command passes these stages on its way to the device and back. */
export const CommandStage = z.object({
  at: z.enum(['user', 'platform', 'broker', 'gateway', 'device', 'answer']),
  name: z.string(),
  state: z.enum(['done', 'waiting', 'failed', 'unknown']),
  text: z.string(),
  time: Time.nullable(),
})
export type CommandStage = z.infer<typeof CommandStage>
export const DeviceCommand = z.object({
  /** The id is that of the control task or of the service call. */
  taskId: Id,
  /** A service call has the identifier of the called service. */
  service: z.string().optional(),
  title: z.string(),
  state: LedgerState,
  target: Values,
  /** Output of the service as JSON text, truncated if it is long. */
  output: z.string().optional(),
  time: Time,
  hops: z.array(CommandStage),
})
export type DeviceCommand = z.infer<typeof DeviceCommand>
