import { z } from 'zod'
import { BulkRequest } from './control'
import { endpoint } from './endpoint'
import { ById, Id, Time } from './fields'
import { rights } from './homeRights'

/** So long a second user may answer. */
export const approvalSeconds = 120

/** `void`: agreed to, when who asked was no longer allowed it. */
const ApprovalStatus = z.enum(['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'void'])

/** Somebody asks that a control task goes to protected circuits, too; a second user answers. */
export const Approval = z.object({
  id: Id,
  projectId: z.number().int(),
  projectName: z.string(),
  title: z.string(),
  reason: z.string(),
  /** What it will be sent to, and what of that is protected. */
  affected: z.number().int(),
  protected: z.number().int(),
  status: ApprovalStatus,
  createBy: z.string(),
  createTime: Time,
  /** By the clock of the platform, when this was answered: that of a browser may be wrong. */
  secondsLeft: z.number().int(),
  answerBy: z.string(),
  answerTime: Time.nullable(),
  /** What the approval began. */
  taskId: Id.nullable(),
})
export interface Approval extends z.infer<typeof Approval> {}

const { permission } = rights.bulkControl
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
  /** What waits in one's projects, and what one asked for in the last minutes. */
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
