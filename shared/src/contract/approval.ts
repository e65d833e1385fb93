import { z } from 'zod'
import { BulkRequest } from './control'
import { endpoint } from './endpoint'
import { ById, Id, Time } from './fields'
import { devicePermissions } from './devicePermissions'

/** Seconds in which a second user may answer. */
export const approvalTimeoutSeconds = 120

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
  status: ApprovalStatus,
  createBy: z.string(),
  createTime: Time,
  /** Remaining seconds by the server's clock, because the clock of a browser may be wrong. */
  secondsLeft: z.number().int(),
  answerBy: z.string(),
  answerTime: Time.nullable(),
  /** The approval started the control task with this id. */
  taskId: Id.nullable(),
})
export interface Approval extends z.infer<typeof Approval> {}

const { permission } = devicePermissions.bulkControl
export const approvalApi = {
  ask: endpoint({
    method: 'POST',
    path: '/v1/approval',
    title: '申请控制受保护设备',
    permission,
    input: z.object({
      request: BulkRequest,
      reason: z.string().trim().max(100, '原因最多 100 个字').default('').meta({ title: '原因' }),
    }),
    output: Approval,
  }),
  /** Returns pending requests of the caller's projects and the caller's own requests of the last minutes. */
  recent: endpoint({
    method: 'GET',
    path: '/v1/approval',
    title: '等待同意的控制',
    permission,
    input: z.object({}),
    output: z.array(Approval),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/v1/approval/{id}/answer',
    title: '答复控制申请',
    permission,
    input: ById.extend({ agree: z.boolean() }),
    output: Approval,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/v1/approval/{id}/withdraw',
    title: '撤回控制申请',
    permission,
    input: ById,
    output: Approval,
  }),
}
