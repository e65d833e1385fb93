import { z } from 'zod'
import { ControlTask } from './control'
import { LiveState } from './device'
import { Task } from './task'

/** One WebSocket per page. The first message must be `auth`; the server closes with 4401 and the reason otherwise. */
export const livePath = '/v1/live'
export const liveRefused = 4401

export const FromPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth'), token: z.string().max(100) }),
  /** Replaces what was watched. `cursor` of the last message seen resumes after a drop; too old answers `reload`. */
  z.object({
    type: z.literal('watch'),
    projectId: z.number().int(),
    cursor: z.number().int().optional(),
  }),
])
export type FromPage = z.infer<typeof FromPage>

export const ToPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('states'), cursor: z.number().int(), devices: z.array(LiveState) }),
  z.object({ type: z.literal('task'), cursor: z.number().int(), task: ControlTask }),
  /** What changed of one's own tasks, whatever is watched. */
  z.object({ type: z.literal('mine'), tasks: z.array(Task) }),
  /** The page's states are too old to catch up: read them anew. */
  z.object({ type: z.literal('reload'), cursor: z.number().int() }),
  /** Roles or menus changed: read `me` anew. */
  z.object({ type: z.literal('rights') }),
])
export type ToPage = z.infer<typeof ToPage>
