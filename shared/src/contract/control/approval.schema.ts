import * as z from '../zod'
import { Id, Time, ById } from '../fields.schema'
import { BulkRequest } from './control.schema'

/** `void` means that the request was approved after its author had lost the permission. */
const ApprovalStatus = z.enum(['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'void'])

/** A request to include protected circuits in a control task; a second user approves or refuses it. */
export const Approval = z.object({
  id: Id,
  projectId: z.number().int(),
  projectName: z.string(),
  title: z.string(),
  reason: z.string(),
  /** Number of devices that the task will control, and how many of them are protected. */
  affected: z.number().int(),
  protected: z.number().int(),
  unit: z.enum(['盏', '台']),
  status: ApprovalStatus,
  createBy: z.string(),
  createByName: z.string(),
  createTime: Time,
  /** Remaining seconds by the server's clock, because the clock of a browser may be wrong. */
  secondsLeft: z.number().int(),
  answerBy: z.string(),
  answerByName: z.string(),
  answerTime: Time.nullable(),
  /** The approval started the control task with this id. */
  taskId: Id.nullable(),
})
export interface Approval extends z.infer<typeof Approval> {}

export const approvalSchemas = {
  ask: {
    input: z.object({
      request: BulkRequest,
      reason: z.string().trim().max(100, '原因最多 100 个字').default('').meta({ title: '原因' }),
    }),
    output: Approval,
  },
  recent: { input: z.object({}), output: z.array(Approval) },
  answer: { input: ById.extend({ agree: z.boolean() }), output: Approval },
  withdraw: { input: ById, output: Approval },
}
