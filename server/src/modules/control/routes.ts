import { controlApi, LedgerState } from '@iot/shared/contract/control'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Context } from '../../core/serve/context'
import { createMissingRefusal, createRefusal } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { assertCanView } from '../device/policy'
import { assertProjectAllows } from '../project/policy'
import { closeLedger } from './closeLedger'
import { assertReachesDevices, type TaskOrigin } from './control'
import { planRequest, summarizePlan, preflightRequest, type Planned } from './plan'
import { assertCanControl, getRequestPermission, findSkipReason } from './policy'
import { controlQueries, getControlDetail, toControlTask } from './queries'

export async function controlRoutes(app: FastifyInstance) {
  const queries = controlQueries(app.db)
  const { engine } = app.control
  app.tasks.registerCloser('control', (row, why) =>
    closeLedger(app.db, app.devices.states, row, why),
  )

  async function startTask(
    origin: TaskOrigin,
    planned: Planned[],
    context: Context,
    id = uuidv7(),
  ) {
    const affected = assertReachesDevices(planned)
    context.assertBeforeDeadline()
    context.recordChange({
      entity: '控制任务',
      id,
      name: origin.title,
      after: { 影响: affected, 跳过: planned.length - affected },
    })
    return (await app.control.begin(origin, planned, context.user, id)).task
  }

  /**
   * Returns the task.
   * @throws "not found" if the task does not exist or the user cannot see its project
   */
  async function findTask(id: string, context: Context) {
    const row = await app.tasks.find(id)
    if (row?.kind !== 'control' || !context.seesProject(row.projectId!))
      throw createMissingRefusal('控制任务')
    return { ...toControlTask(row), permission: getControlDetail(row).permission }
  }

  /** The request id is the idempotency key: a repeated request finds the task that it started before. */
  async function findStarted(context: Context) {
    const row = await app.tasks.find(context.requestId())
    if (!row) return undefined
    context.recordChange({ entity: '控制任务', id: row.id, name: `${row.title}（重复提交）` })
    return toControlTask(row)
  }

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
    const planned = devices
      .map((device) => ({
        device,
        target: targets.get(device.id)!,
        // The approval of a task that switched protected circuits also covers setting them back.
        skip: findSkipReason(
          device,
          source.permission,
          origin === 'undo' && source.approvedBy !== '',
        ),
      }))
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
    const title = `${origin === 'retry' ? '重试' : '恢复原状'}：${source.title.replace(/^(重试|恢复原状)：/, '')}`
    const { projectId, permission } = source
    await assertProjectAllows(app.db, projectId, 'control')
    const newTaskId = context.requestId()
    const startNewTask = () =>
      startTask({ projectId, origin, sourceId: id, title, permission }, planned, context, newTaskId)
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

  serve(app, controlApi, {
    async preflight(request, context) {
      const permission = getRequestPermission(request)
      assertCanControl(context, request.projectId, permission)
      await app.devices.states.flush()
      return preflightRequest(app.db, request, permission)
    },
    async start(request, context) {
      const permission = getRequestPermission(request)
      assertCanControl(context, request.projectId, permission)
      const { projectId, kind: origin } = request
      if (request.kind !== 'scene' && request.includeProtected)
        throw createRefusal('控制受保护的设备需要另一位同事同意，请先申请')
      await assertProjectAllows(app.db, projectId, 'control')
      const existingTask = await findStarted(context)
      if (existingTask) return existingTask
      context.assertBeforeDeadline()
      const id = context.requestId()
      if (request.kind === 'scene') {
        const cause = request.trial ? 'trial' : 'manual'
        return app.scenes.press({ projectId, id: request.sceneId }, cause, context, id)
      }
      await app.devices.states.flush()
      const { title, planned } = await planRequest(app.db, request, permission)
      return startTask(
        { projectId, origin, sourceId: null, title, permission },
        planned,
        context,
        id,
      )
    },
    async get({ id }, context) {
      const task = await findTask(id, context)
      assertCanView(context, task.projectId)
      return task
    },
    async ledger({ id, state, pageNo, pageSize }, context) {
      const task = await findTask(id, context)
      assertCanView(context, task.projectId)
      const states = state
        ?.split(',')
        .filter((one): one is LedgerState => LedgerState.safeParse(one).success)
      await engine.flush(id)
      const [{ list, ...rest }, spaces] = await Promise.all([
        queries.ledgerPage(task, states?.length ? states : undefined, { pageNo, pageSize }),
        queries.spaces(task.projectId),
      ])
      const tree = createTree(spaces)
      const formatPlace = (spaceId: string | null) =>
        tree
          .path(spaceId)
          .map((space) => space.name)
          .join(' / ')
      return {
        ...rest,
        list: list.map(({ ledger, name, spaceId, floorId }) => ({
          ...ledger,
          name,
          floorId,
          place: formatPlace(spaceId),
        })),
      }
    },
    async recent({ projectId }, context) {
      assertCanView(context, projectId)
      return (await queries.recent(projectId)).map((row) =>
        toControlTask(app.tasks.current(row.id) ?? row),
      )
    },
    async cancel({ id }, context) {
      const task = await findTask(id, context)
      assertCanControl(context, task.projectId, task.permission)
      context.recordChange({ entity: '控制任务', id, name: task.title })
      return toControlTask(await app.tasks.cancel(id))
    },
    async undoPreflight({ id }, context) {
      const { source, planned } = await planFollowUp(id, context, 'undo')
      const later = await queries.countLater(source.projectId, id, followUpStates.undo)
      return { ...summarizePlan(planned), later }
    },
    retry: ({ id }, context) => startFollowUp(id, context, 'retry'),
    undo: ({ id }, context) => startFollowUp(id, context, 'undo'),
  })
}

/**
 * Entry states that a retry or an undo covers; both cover `unknown`, because such an entry may have succeeded or
 * failed.
 */
const followUpStates: Record<'retry' | 'undo', LedgerState[]> = {
  retry: ['failed', 'timeout', 'unknown'],
  undo: ['success', 'confirmed', 'unknown'],
}
