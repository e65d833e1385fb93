import * as z from './zod'
import { Id } from './fields.schema'
import { LiveState, SpaceLights } from './device/device.schema'
import { ControlTask } from './control/control.schema'
import { Task } from './sheet/task.schema'
import { Approval } from './control/approval.schema'
import { PageNotification } from './alarm/pageNotification.schema'

/** Ids come from the address bar and may be invalid; such ids are dropped without failing the subscription. */
const LenientIds = z
  .array(z.string())
  .max(50)
  .transform((all) => all.filter((id) => Id.safeParse(id).success))

export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth'), token: z.string().max(100) }),
  /**
   * Replaces the subscription. The `cursor` of the last received message resumes it; a cursor that is too old is
   * answered with `reload`. It covers the devices on these floors plus the given devices, or the whole project if both
   * are missing.
   */
  z.object({
    type: z.literal('watch'),
    projectId: z.number().int(),
    floorIds: LenientIds.optional(),
    deviceIds: LenientIds.optional(),
    cursor: z.number().int().optional(),
  }),
])
export type ClientMessage = z.infer<typeof ClientMessage>

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Sent every `heartbeatSeconds` with the server's time, so that a page detects a dead connection. */
  z.object({ type: z.literal('beat'), time: z.number().optional() }),
  /** Confirms a subscription without a cursor: later changes are sent, but data read earlier may be outdated. */
  z.object({ type: z.literal('watching'), cursor: z.number().int() }),
  z.object({ type: z.literal('states'), cursor: z.number().int(), devices: z.array(LiveState) }),
  /** Light counts of spaces that have changed. */
  z.object({ type: z.literal('lights'), cursor: z.number().int(), spaces: z.array(SpaceLights) }),
  /** Control tasks that have made progress, each with its current state. */
  z.object({ type: z.literal('tasks'), cursor: z.number().int(), tasks: z.array(ControlTask) }),
  /** `open` is the number of unacknowledged device incidents. */
  z.object({ type: z.literal('shift'), cursor: z.number().int(), open: z.number().int() }),
  /** Manual overrides or delayed commands of the project have changed, so the page reads their lists again. */
  z.object({ type: z.literal('controlLists'), cursor: z.number().int() }),
  /** Changed tasks of the user, independent of the subscription. */
  z.object({ type: z.literal('mine'), tasks: z.array(Task) }),
  /** A new or answered approval request of any project that the user may control. */
  z.object({ type: z.literal('approval'), approval: Approval }),
  /** Something that the notification policies tell the user, of any project. */
  z.object({ type: z.literal('notification'), notification: PageNotification }),
  /**
   * Devices of the project were added, removed, moved or edited, so the page reloads them. Their states still arrive as
   * events.
   */
  z.object({ type: z.literal('changed'), cursor: z.number().int() }),
  /** The cursor is older than the replay buffer, so the page reloads all states. */
  z.object({ type: z.literal('reload'), cursor: z.number().int() }),
  /** Roles or menus have changed, so the page reloads `me`. */
  z.object({ type: z.literal('rights') }),
])
export type ServerMessage = z.infer<typeof ServerMessage>
