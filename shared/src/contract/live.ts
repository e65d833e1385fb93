import { z } from 'zod'
import { Approval } from './approval'
import { ControlTask } from './control'
import { LiveState, SpaceLights } from './device'
import { Id } from './fields'
import { Task } from './task'

/** One WebSocket per page. The first message must be `auth`; the server closes with 4401 and the reason otherwise. */
export const livePath = '/v1/live'
export const liveRefused = 4401
/** Seconds between two pings, which end connections that nobody answers. */
export const pingSeconds = 25
export const beatSeconds = 2
/** A page that heard nothing for so many seconds says since when what it shows is not brought up to date. */
export const silentSeconds = 5
/** The user has too many pages open, or a page says too much at once; it may come back later. */
export const liveBusy = 4429

/** What stands in an address may be no id; nothing is told of it then, and all else goes on. */
const Ids = z
  .array(z.string())
  .max(50)
  .transform((all) => all.filter((id) => Id.safeParse(id).success))

export const FromPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth'), token: z.string().max(100) }),
  /**
   * Replaces what was watched. `cursor` of the last message seen resumes after a drop; too old answers `reload`. States
   * are those of devices on these floors, and of these one by one; of the whole project where both are left out.
   */
  z.object({
    type: z.literal('watch'),
    projectId: z.number().int(),
    floorIds: Ids.optional(),
    deviceIds: Ids.optional(),
    cursor: z.number().int().optional(),
  }),
])
export type FromPage = z.infer<typeof FromPage>

export const ToPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Every `beatSeconds`, with the server's time: a page that hears nothing for long is cut off, whatever its connection says. */
  z.object({ type: z.literal('beat'), time: z.number().optional() }),
  /** Answers a watch without a cursor: what changes from now on is told, what was read before may be old. */
  z.object({ type: z.literal('watching'), cursor: z.number().int() }),
  z.object({ type: z.literal('states'), cursor: z.number().int(), devices: z.array(LiveState) }),
  /** Spaces whose lights are no longer what they were. */
  z.object({ type: z.literal('lights'), cursor: z.number().int(), spaces: z.array(SpaceLights) }),
  /** Control tasks that went on, each as it now is. */
  z.object({ type: z.literal('tasks'), cursor: z.number().int(), tasks: z.array(ControlTask) }),
  /** How many incidents of devices nobody acknowledged now. */
  z.object({ type: z.literal('shift'), cursor: z.number().int(), open: z.number().int() }),
  /** What changed of one's own tasks, whatever is watched. */
  z.object({ type: z.literal('mine'), tasks: z.array(Task) }),
  /** Of any project one may control: somebody asks for a second user's approval, or it was answered. */
  z.object({ type: z.literal('approval'), approval: Approval }),
  /** Devices of the project came, went, moved or were edited: read them anew. How they stand is told as ever. */
  z.object({ type: z.literal('changed'), cursor: z.number().int() }),
  /** The page's states are too old to catch up: read them anew. */
  z.object({ type: z.literal('reload'), cursor: z.number().int() }),
  /** Roles or menus changed: read `me` anew. */
  z.object({ type: z.literal('rights') }),
])
export type ToPage = z.infer<typeof ToPage>
