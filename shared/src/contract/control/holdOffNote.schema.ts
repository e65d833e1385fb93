import * as z from '../zod'
import { Id, Moment, Time, ById } from '../fields.schema'
import { oneLinePattern } from '../fields'

/** A hold-off note: asks later operators not to change the result of a control task. */
export const HoldOffNoteDraft = z.object({
  taskId: Id,
  reason: z
    .string()
    .trim()
    .min(1, '请输入原因')
    .max(200, '原因最多 200 个字')
    .regex(oneLinePattern, '原因不能含换行和不可见的控制字符')
    .meta({ title: '原因' }),
  /** A note without an end stands until a user ends it. */
  until: Moment.nullable().meta({ title: '有效到' }),
})
export type HoldOffNoteDraft = z.infer<typeof HoldOffNoteDraft>

export const HoldOffNote = HoldOffNoteDraft.extend({
  id: Id,
  projectId: z.number().int(),
  /** The title is that of the control task. */
  title: z.string(),
  since: Time,
  /** This many devices carried out the task or may have done so. */
  devices: z.number().int(),
  unit: z.enum(['盏', '台']),
  createBy: z.string(),
  createByName: z.string(),
  createTime: Time,
  /** These later tasks changed some of the devices, the latest first. */
  overriddenBy: z.array(
    z.object({
      taskId: Id,
      title: z.string(),
      createBy: z.string(),
      createByName: z.string(),
      createTime: Time,
      devices: z.number().int(),
    }),
  ),
})
export type HoldOffNote = z.infer<typeof HoldOffNote>

export const holdSchemas = {
  list: { input: z.object({ projectId: z.coerce.number().int() }), output: z.array(HoldOffNote) },
  create: { input: HoldOffNoteDraft, output: z.null() },
  end: { input: ById, output: z.null() },
}
