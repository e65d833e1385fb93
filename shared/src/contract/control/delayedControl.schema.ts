import * as z from '../zod'
import { ById, Id, Time } from '../fields.schema'
import { BulkRequest } from './control.schema'
import { maxDelayMinutes } from './delayedControl'

/**
 * `started` has a control task with the result. `failed` was refused when its time came, `missed` came while the
 * platform did not run.
 */
const DelayedControlStatus = z.enum(['waiting', 'started', 'failed', 'missed', 'cancelled'])

/**
 * A bulk command that starts once after a delay. Devices, overrides and the permission of its author are read when it
 * starts and not before.
 */
export const DelayedControl = z.object({
  id: Id,
  projectId: z.number().int(),
  title: z.string(),
  status: DelayedControlStatus,
  dueTime: Time,
  createBy: z.string(),
  createByName: z.string(),
  createTime: Time,
  /** Why it was not carried out; empty otherwise. */
  reason: z.string(),
  /** A command for one device needs less permission than one for many, also to cancel it. */
  isSingle: z.boolean(),
  /** Control task that it started. */
  taskId: Id.nullable(),
})
export type DelayedControl = z.infer<typeof DelayedControl>

export const delayedControlSchemas = {
  /** Lists what waits, the next one first, and then what was not carried out in the last day. */
  list: {
    input: z.object({ projectId: z.coerce.number().int() }),
    output: z.array(DelayedControl),
  },
  create: {
    input: z.object({
      request: BulkRequest,
      delayMinutes: z
        .number()
        .int('延时须为整分钟')
        .min(1, '延时最短 1 分钟')
        .max(maxDelayMinutes, '延时最长 24 小时')
        .meta({ title: '延时' }),
    }),
    output: DelayedControl,
  },
  cancel: { input: ById, output: DelayedControl },
}
