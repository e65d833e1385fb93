import { Approval, approvalApi } from '@iot/shared/contract/approval'
import { holds } from '@iot/shared/contract/endpoint'
import { rights } from '@iot/shared/contract/homeRights'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Context } from '../../core/serve/context'
import { missing, refused } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { rightsNow } from '../auth/policy/rights'
import { projectMustAllow } from '../project/policy'
import type { ApprovalRow } from './approvals'
import { mustReach } from './begin'
import { planRequest, type Planned } from './plan'
import { mustControl, permissionFor } from './policy'

const { permission } = rights.bulkControl
const entity = '控制申请'

/** A bulk request that includes protected circuits runs only after a second user approves it within two minutes. */
export async function approvalRoutes(app: FastifyInstance) {
  const { approvals } = app.control

  /** Plans the request against the current devices, including protected circuits. */
  async function plan(request: ApprovalRow['request']) {
    await projectMustAllow(app.db, request.projectId, 'control')
    await app.devices.states.flush()
    const whole = { ...request, includeProtected: true }
    const { title, planned } = await planRequest(app.db, whole, permission)
    return { title, planned, affected: mustReach(planned), protected: protectedOf(planned) }
  }
  async function find(id: string, { seesProject }: Context) {
    const row = await approvals.find(id)
    if (!row || !seesProject(row.projectId)) throw missing('申请')
    return row
  }
  async function told(id: string) {
    const row = await approvals.find(id)
    if (!row) throw missing('申请')
    return approvals.tell(row)
  }
  function mustBeOpen(row: ApprovalRow) {
    const why = whyOver(row)
    if (why) throw refused(why)
  }
  async function askerMay({ askerId, projectId }: ApprovalRow) {
    const theirs = await rightsNow(app.db, askerId)
    return (
      theirs !== undefined &&
      holds(theirs.permissions, permission) &&
      (theirs.projectScope === 'all' || theirs.projectScope.includes(projectId))
    )
  }
  /**
   * Records the answer.
   * @throws if another answer was recorded first
   */
  async function take(row: ApprovalRow, answer: Parameters<typeof approvals.answer>[1]) {
    if (await approvals.answer(row.id, answer)) return
    const now = await approvals.find(row.id)
    throw refused((now && whyOver(now)) ?? '申请已结束')
  }
  const note = ({ id, title }: ApprovalRow, context: Context, after: object) =>
    context.note({ entity, id, name: title, after })

  serve(app, approvalApi, {
    async ask({ request, reason }, context) {
      const { projectId } = request
      mustControl(context, projectId, permission)
      if (permissionFor(request) !== permission)
        throw refused('单台受保护的设备可以直接控制，不需要同意')
      const { title, affected, protected: count } = await plan(request)
      if (count === 0) throw refused('范围内没有可以控制的受保护设备，请直接执行')
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
      if (!id) throw refused('您在这个项目里已有一个申请在等待同意')
      context.note({
        entity,
        id,
        name: title,
        after: { 影响: affected, 其中受保护: count, ...(reason && { 原因: reason }) },
      })
      return told(id)
    },
    async recent(_, { user, projectScope }) {
      const rows = await approvals.recent(
        user.id,
        projectScope === 'all' ? 'all' : [...projectScope],
      )
      return rows.map((row) => Approval.parse(row))
    },
    async answer({ id, agree }, context) {
      const row = await find(id, context)
      if (row.askerId === context.user.id) throw refused('自己的申请要由另一位同事答复')
      mustBeOpen(row)
      const answerBy = context.user.username
      const asked = { 申请人: row.createBy, ...(row.reason && { 原因: row.reason }) }
      if (!agree) {
        await take(row, { status: 'refused', answerBy })
        note(row, context, { ...asked, 答复: '拒绝' })
        return told(id)
      }
      // The task runs in the name of the requester, whose permission must therefore still exist.
      if (!(await askerMay(row))) {
        await take(row, { status: 'void', answerBy })
        note(row, context, {})
        await told(id)
        throw refused(whyOver({ ...row, status: 'void' })!)
      }
      const { title, planned, affected, protected: count } = await plan(row.request)
      // The approval covers only the number of protected devices that the approver was shown.
      if (count > row.protected) throw refused('范围内受保护的设备变多了，请申请人重新申请')
      const taskId = uuidv7()
      context.assertBeforeDeadline()
      await take(row, { status: 'approved', answerBy, taskId })
      const { projectId, kind: origin } = row.request
      await app.control
        .begin(
          { projectId, origin, sourceId: null, title, permission, approvedBy: answerBy },
          planned,
          { id: row.askerId, username: row.createBy },
          taskId,
        )
        .catch(async (error: unknown) => {
          await approvals.reopen(id).catch(() => {})
          throw error
        })
      note(row, context, {
        ...asked,
        答复: '同意',
        影响: affected,
        其中受保护: count,
        控制任务: taskId,
      })
      return told(id)
    },
    async withdraw({ id }, context) {
      const row = await find(id, context)
      if (row.askerId !== context.user.id) throw refused('只有申请人可以撤回')
      mustBeOpen(row)
      await take(row, { status: 'withdrawn', answerBy: context.user.username })
      note(row, context, { 答复: '撤回' })
      return told(id)
    },
  })
}

const protectedOf = (planned: Planned[]) =>
  planned.filter(({ device, skip }) => device.protected && !skip).length

function whyOver({ status, answerBy, createBy }: ApprovalRow) {
  if (status === 'expired') return '申请已过期，请申请人重新申请'
  if (status === 'withdrawn') return '申请人已撤回'
  if (status === 'void') return `${createBy} 已没有批量控制的权限，申请作废，没有执行`
  if (status === 'waiting') return undefined
  return `${answerBy} 已${status === 'approved' ? '同意' : '拒绝'}`
}
