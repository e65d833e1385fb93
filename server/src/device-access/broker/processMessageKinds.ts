import { Approval } from '@iot/shared/contract/control/approval.schema'
import { LiveState } from '@iot/shared/contract/device/device.schema'
import { Id } from '@iot/shared/contract/fields.schema'
import { PageNotification } from '@iot/shared/contract/alarm/pageNotification.schema'
import { Task } from '@iot/shared/contract/sheet/task.schema'
import { z } from 'zod'
import { Reply } from '../protocol/alink'

const Identity = z.object({ productKey: z.string(), deviceName: z.string() })
/** A row of the task table; `Task` is the part that pages see. */
const TaskRow = Task.extend({
  ownerId: Id.nullable(),
  secrets: Task.shape.file,
  detail: z.unknown(),
  listed: z.boolean(),
  claimedBy: z.string(),
  updateTime: z.string(),
})

/** Rows of devices that one process has just written, for the pages of the others. */
export const ChangedDevices = z.array(
  LiveState.extend({
    projectId: z.number().int(),
    revision: z.number(),
    spaceId: Id.nullable(),
    floorId: Id.nullable(),
  }),
)

/** A notification and the pages that it is for. */
export const AddressedNotification = z.object({
  notification: PageNotification,
  /** Null for the platform itself, which concerns those who see all projects. */
  projectId: z.number().int().nullable(),
  /** Empty for everybody who may list incidents. */
  roleIds: z.array(Id),
  /** Limits the notification to the pages of this user. */
  userId: Id.optional(),
})
export type AddressedNotification = z.infer<typeof AddressedNotification>

/** Messages that every process sends to all others. */
export const broadcastKinds = {
  task: TaskRow,
  /** Devices that were changed, disabled or deleted. */
  forget: z.array(Identity),
  /** Devices that will answer no more pending calls, with the reason. */
  ended: z.object({ identities: z.array(Identity), why: z.string() }),
  /** A process has released leases, which the others need not wait to try. */
  leasesFreed: z.null(),
  approval: Approval,
  /** Number of unacknowledged incidents and scenes of a project. */
  shift: z.object({ projectId: z.number().int(), open: z.number().int() }),
  /**
   * Alarm rules were saved; the holder of the jobs has written conditions; or a process has taken over a partition whose
   * former holder may not have written its conditions.
   */
  alarms: z.enum(['rules', 'conditions', 'takenOver']),
  /** Each process sends these notifications to its own pages and answers with `pagesNotified`, their number. */
  pageNotifications: z.object({ id: Id, notifications: z.array(AddressedNotification) }),
  pagesNotified: z.object({ id: Id, pageCount: z.number().int() }),
}
export type BroadcastKind = keyof typeof broadcastKinds
export type Broadcasts = { [K in BroadcastKind]: z.infer<(typeof broadcastKinds)[K]> }

/** Requests that a process sends to the holder of a partition, and what the holder answers. */
export const requestKinds = {
  /** Asks the holder to start the queued entries of a control task. */
  startTask: { input: z.object({ taskId: Id }), output: z.null() },
  /** Asks the holder to publish a request to a device and to wait for its reply. */
  askDevice: {
    input: z.object({
      device: Identity,
      /** A service is called by its identifier, any other request by its action. */
      kind: z.enum(['action', 'async', 'sync']),
      name: z.string(),
      params: z.unknown(),
      timeoutMs: z.number(),
    }),
    output: z.union([
      z.object({ reply: Reply }),
      /** The device did not answer, or the call ended before. */
      z.object({ error: z.string(), isEnded: z.boolean() }),
    ]),
  },
  /** Asks the holder to notify devices and their gateways of a change. */
  notifyDevices: {
    input: z.object({
      identities: z.array(Identity),
      change: z.enum(['bound', 'unbound', 'deleted', 'enabled', 'disabled']),
      formerGatewayId: Id.optional(),
    }),
    output: z.null(),
  },
}
export type RequestKind = keyof typeof requestKinds
export type RequestInput<K extends RequestKind> = z.infer<(typeof requestKinds)[K]['input']>
export type RequestOutput<K extends RequestKind> = z.infer<(typeof requestKinds)[K]['output']>
export type RequestHandlers = {
  [K in RequestKind]?: (input: RequestInput<K>) => Promise<RequestOutput<K>>
}

export const BroadcastMessage = z.object({
  kind: z.enum(Object.keys(broadcastKinds) as [BroadcastKind, ...BroadcastKind[]]),
  data: z.unknown(),
})
export const RequestMessage = z.object({
  id: z.string(),
  replyTo: z.string(),
  kind: z.enum(Object.keys(requestKinds) as [RequestKind, ...RequestKind[]]),
  data: z.unknown(),
})
export type RequestMessage = z.infer<typeof RequestMessage>
export const ReplyMessage = z.object({
  id: z.string(),
  data: z.unknown().optional(),
  /** The holder refuses, with a reason for the operator. */
  refusal: z.object({ code: z.number(), message: z.string() }).optional(),
  /** The holder failed. */
  error: z.string().optional(),
})
export type ReplyMessage = z.infer<typeof ReplyMessage>
