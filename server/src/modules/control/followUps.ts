import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import type { FastifyInstance } from 'fastify'
import { createRefusal } from '../../core/refusal'
import type { Context } from '../../core/http/context'
import { assertProjectAllows } from '../project/policy'
import { summarizePlan } from './preflight'
import { assertCanControl, findSkipReason } from './policy'
import { readOverrides } from './overrides'
import { controlQueries, toControlTask } from './queries'
import type { TaskAccess } from './taskAccess'

/**
 * Entry states that a retry or an undo covers; both cover `unknown`, because such an entry may have succeeded or
 * failed.
 */
const followUpStates: Record<'retry' | 'undo', LedgerState[]> = {
  retry: ['failed', 'timeout', 'unknown'],
  undo: ['success', 'confirmed', 'unknown'],
}

const originText = { retry: '重试', undo: '恢复原状' }

/** Retries and undoes finished tasks. */
export function createFollowUps(
  app: FastifyInstance,
  { findTask, findStarted, startTask }: TaskAccess,
) {
  const queries = controlQueries(app.db)
  const { engine } = app.control

  /** Plans a retry or undo of a finished task: its devices and the values each is set to. */
  async function planFollowUp(id: string, context: Context, origin: 'retry' | 'undo') {
    const source = await findTask(id, context)
    assertCanControl(context, source.projectId, source.permission)
    if (source.doneTime === null) throw createRefusal('任务还在执行，请等它结束')
    if (source.undoneBy)
      throw createRefusal(`这个任务已经恢复过原状${origin === 'retry' ? '，不再重试' : ''}`)
    await Promise.all([engine.flush(id), app.devices.states.flush()])
    const rows = await queries.ledger(source.projectId, id, followUpStates[origin])
    const targets = new Map(
      rows.map(({ deviceId, target, before }) => [deviceId, origin === 'retry' ? target : before]),
    )
    const devices =
      targets.size === 0
        ? []
        : await queries.devices(source.projectId, { ids: [...targets.keys()] })
    const overrides = await readOverrides(app.db, source.projectId)
    const planned = devices
      .map((device) => {
        const override = source.bypassesOverride ? undefined : overrides.find(device)
        return {
          device,
          target: targets.get(device.id)!,
          override,
          // The approval of a task that switched protected circuits also covers setting them back.
          skip: findSkipReason(device, source.permission, {
            includeProtected: origin === 'undo' && source.approvedBy !== '',
            isHeld: override !== undefined,
          }),
        }
      })
      // A device that had never reported has no earlier values to restore.
      .filter(({ target }) => Object.keys(target).length > 0)
    if (planned.length === 0)
      throw createRefusal(origin === 'retry' ? '没有失败的设备' : '没有可以恢复的设备')
    return { source, planned }
  }

  /** Starts a retry or undo of an earlier task. */
  async function startFollowUp(id: string, context: Context, origin: 'retry' | 'undo') {
    const existingTask = await findStarted(context)
    if (existingTask) return existingTask
    context.assertBeforeDeadline()
    const { source, planned } = await planFollowUp(id, context, origin)
    const title = `${originText[origin]}：${source.title.replace(/^(重试|恢复原状)：/, '')}`
    const { projectId, permission, bypassesOverride, place, parentPlace, unit } = source
    const target = { place, parentPlace, unit, action: originText[origin] }
    await assertProjectAllows(app.db, projectId, 'control')
    const newTaskId = context.requestId()
    const startNewTask = () =>
      startTask(
        { projectId, origin, sourceId: id, title, permission, bypassesOverride, ...target },
        planned,
        context,
        newTaskId,
      )
    if (origin === 'retry') return startNewTask()
    const claimedRow = await queries.claimUndo(id, newTaskId)
    if (!claimedRow) throw createRefusal('这个任务已经恢复过原状')
    const task = await startNewTask().catch(async (error) => {
      await queries.releaseUndo(id)
      throw error
    })
    app.tasks.events.emit('changed', claimedRow)
    return task
  }

  return {
    startFollowUp,
    async preflightUndo(id: string, context: Context) {
      const { source, planned } = await planFollowUp(id, context, 'undo')
      const { lastTaskId, ...later } = await queries.countLater(
        source.projectId,
        id,
        followUpStates.undo,
      )
      const [lastRow] = await queries.tasks(lastTaskId === null ? [] : [lastTaskId])
      const last = lastRow ? toControlTask(lastRow) : null
      return { ...summarizePlan(planned), later: { ...later, last } }
    },
  }
}
