import { approvalSchemas } from '@iot/shared/contract/control/approval.schema'
import { approvalApi } from '@iot/shared/contract/control/approval.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Context } from '../../core/http/context'
import { createMissingRefusal, createRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { assertProjectAllows } from '../project/policy'
import { toApproval, type ApprovalRow } from './approvals'
import { assertReachesDevices } from './control'
import type { Planned } from './plan'
import { assertCanControl, canStillControl, getRequestPermission } from './policy'
import { planCurrentStates } from './startChecks'

const { permission } = devicePermissions.bulkControl
const entity = '控制申请'

/** A bulk request that includes protected circuits runs only after a second user approves it within two minutes. */
export async function approvalRoutes(app: FastifyInstance) {
  const { approvals } = app.control

  serve(app, approvalApi, approvalSchemas, {
    ask: (input, context) => askApproval(app, input, context),
    async recent(_, { user, projectScope }) {
      const rows = await approvals.recent(
        user.id,
        projectScope === 'all' ? 'all' : [...projectScope],
      )
      return rows.map(toApproval)
    },
    async answer({ id, agree }, context) {
      const row = await findApproval(approvals, id, context)
      if (row.askerId === context.user.id) throw createRefusal('自己的申请要由另一位同事答复')
      assertOpen(row)
      await (agree ? approve(app, row, context) : refuse(approvals, row, context))
      return announceApproval(approvals, id)
    },
    async withdraw({ id }, context) {
      const row = await findApproval(approvals, id, context)
      if (row.askerId !== context.user.id) throw createRefusal('只有申请人可以撤回')
      assertOpen(row)
      const answerBy = context.user.username
      await recordAnswer(approvals, row, { status: 'withdrawn', answerBy })
      logAnswer(row, context, { 答复: '撤回' })
      return announceApproval(approvals, id)
    },
  })
}

type Approvals = FastifyInstance['control']['approvals']

async function askApproval(
  app: FastifyInstance,
  { request, reason }: Pick<ApprovalRow, 'request' | 'reason'>,
  context: Context,
) {
  const { approvals } = app.control
  const { projectId } = request
  assertCanControl(context, projectId, permission)
  if (getRequestPermission(request) !== permission)
    throw createRefusal('单台受保护的设备可以直接控制，不需要同意')
  const { title, target, affected, protected: count } = await planWithProtected(app, request)
  if (count === 0) throw createRefusal('范围内没有可以控制的受保护设备，请直接执行')
  const { id: askerId, username: createBy } = context.user
  const id = await approvals.insert({
    projectId,
    request,
    title,
    reason,
    affected,
    protected: count,
    askerId,
    createBy,
  })
  if (!id) throw createRefusal('您在这个项目里已有一个申请在等待同意')
  context.recordChange({
    entity,
    id,
    name: title,
    after: {
      控制: `${affected} ${target.unit}`,
      其中受保护: `${count} ${target.unit}`,
      ...(reason && { 原因: reason }),
    },
  })
  return announceApproval(approvals, id)
}

async function refuse(approvals: Approvals, row: ApprovalRow, context: Context) {
  await recordAnswer(approvals, row, { status: 'refused', answerBy: context.user.username })
  logAnswer(row, context, { ...getRequestFields(row), 答复: '拒绝' })
}

/** Starts the task in the name of the requester. */
async function approve(app: FastifyInstance, row: ApprovalRow, context: Context) {
  const { approvals } = app.control
  const answerBy = context.user.username
  // The task runs in the name of the requester, whose permission must therefore still exist.
  if (!(await canStillControl(app.db, row.askerId, row.projectId, permission))) {
    await recordAnswer(approvals, row, { status: 'void', answerBy })
    logAnswer(row, context, {})
    await announceApproval(approvals, row.id)
    throw createRefusal(explainClosed({ ...row, status: 'void' })!)
  }
  const plan = await planWithProtected(app, row.request)
  const { title, target, planned, affected, protected: count } = plan
  // The approval covers only the number of protected devices that the approver was shown.
  if (count > row.protected) throw createRefusal('范围内受保护的设备变多了，请申请人重新申请')
  const taskId = uuidv7()
  context.assertBeforeDeadline()
  await recordAnswer(approvals, row, { status: 'approved', answerBy, taskId })
  const { projectId, kind: origin } = row.request
  await app.control
    .begin(
      {
        projectId,
        origin,
        sourceId: null,
        title,
        permission,
        ...target,
        approvedBy: answerBy,
        approvedByName: context.user.name,
      },
      planned,
      { id: row.askerId, username: row.createBy, name: row.createByName },
      taskId,
    )
    .catch(async (error: unknown) => {
      await approvals.reopen(row.id).catch(() => {})
      throw error
    })
  logAnswer(row, context, {
    ...getRequestFields(row),
    答复: '同意',
    控制: `${affected} ${target.unit}`,
    其中受保护: `${count} ${target.unit}`,
    控制任务: taskId,
  })
}

/** Plans the request against the current devices, including protected circuits. */
async function planWithProtected(app: FastifyInstance, request: ApprovalRow['request']) {
  await assertProjectAllows(app.db, request.projectId, 'control')
  const fullRequest = { ...request, includeProtected: true }
  const { title, target, planned } = await planCurrentStates(app, fullRequest, permission)
  return {
    title,
    target,
    planned,
    affected: assertReachesDevices(planned),
    protected: countProtected(planned),
  }
}

async function findApproval(approvals: Approvals, id: string, { seesProject }: Context) {
  const row = await approvals.find(id)
  if (!row || !seesProject(row.projectId)) throw createMissingRefusal('申请')
  return row
}

async function announceApproval(approvals: Approvals, id: string) {
  const row = await approvals.find(id)
  if (!row) throw createMissingRefusal('申请')
  return approvals.tell(row)
}

function assertOpen(row: ApprovalRow) {
  const closedReason = explainClosed(row)
  if (closedReason) throw createRefusal(closedReason)
}

/**
 * Records the answer.
 * @throws if another answer was recorded first
 */
async function recordAnswer(
  approvals: Approvals,
  row: ApprovalRow,
  answer: Parameters<Approvals['answer']>[1],
) {
  if (await approvals.answer(row.id, answer)) return
  const currentRow = await approvals.find(row.id)
  throw createRefusal((currentRow && explainClosed(currentRow)) ?? '申请已结束')
}

const logAnswer = ({ id, title }: ApprovalRow, context: Context, after: object) =>
  context.recordChange({ entity, id, name: title, after })

const getRequestFields = ({ createBy, reason }: ApprovalRow) => ({
  申请人: createBy,
  ...(reason && { 原因: reason }),
})

const countProtected = (planned: Planned[]) =>
  planned.filter(({ device, skip }) => device.protected && !skip).length

function explainClosed({ status, answerByName, createByName }: ApprovalRow) {
  if (status === 'expired') return '申请已过期，请申请人重新申请'
  if (status === 'withdrawn') return '申请人已撤回'
  if (status === 'void') return `${createByName} 已没有批量控制的权限，申请作废，没有执行`
  if (status === 'waiting') return undefined
  return `${answerByName} 已${status === 'approved' ? '同意' : '拒绝'}`
}
