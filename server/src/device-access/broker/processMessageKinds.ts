import { Approval } from '@iot/shared/contract/approval'
import { LiveState, Values } from '@iot/shared/contract/device'
import { Id } from '@iot/shared/contract/fields'
import { Task } from '@iot/shared/contract/task'
import { z } from 'zod'

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

/** Messages that every process sends to all others. */
export const broadcastKinds = {
  task: TaskRow,
  /** Ledger entries of another process's task that a newer command has overridden. */
  overridden: z.object({ taskId: Id, deviceIds: z.array(Id), reason: z.string() }),
  /** Values that are being requested from devices. */
  commands: z.array(z.object({ id: Id, values: Values })),
  /** Devices that were changed, disabled or deleted. */
  forget: z.array(Identity),
  /** Devices that will answer no more pending calls, with the reason. */
  ended: z.object({ identities: z.array(Identity), why: z.string() }),
  approval: Approval,
  /** Number of unacknowledged incidents of a project. */
  shift: z.object({ projectId: z.number().int(), open: z.number().int() }),
}
export type BroadcastKind = keyof typeof broadcastKinds
export type Broadcasts = { [K in BroadcastKind]: z.infer<(typeof broadcastKinds)[K]> }

/** Requests that a process sends to the holder of a partition, and what the holder answers. */
export const requestKinds = {
  /** Asks the holder to start the queued entries of a control task. */
  startTask: { input: z.object({ taskId: Id }), output: z.null() },
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
