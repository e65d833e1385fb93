import { controlApi, LedgerState } from '@iot/shared/contract/control'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Context } from '../../core/serve/context'
import { missing, refused } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { mustView } from '../device/policy'
import { projectMustAllow } from '../project/policy'
import { closeLedger } from './abandoned'
import { mustReach, type Origin } from './begin'
import { planRequest, preflightOf, preflightRequest, type Planned } from './plan'
import { mustControl, permissionFor, skips } from './policy'
import { controlQueries, detailOf, taskOf } from './queries'

export async function controlRoutes(app: FastifyInstance) {
  const queries = controlQueries(app.db)
  const { engine } = app.control
  app.tasks.closes('control', (row, why) => closeLedger(app.db, app.devices.states, row, why))

  async function begin(origin: Origin, planned: Planned[], context: Context, id = uuidv7()) {
    const affected = mustReach(planned)
    context.assertBeforeDeadline()
    context.note({
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
  async function find(id: string, context: Context) {
    const row = await app.tasks.find(id)
    if (row?.kind !== 'control' || !context.seesProject(row.projectId!)) throw missing('控制任务')
    return { ...taskOf(row), permission: detailOf(row).permission }
  }

  /** The request id is the idempotency key: a repeated request finds the task that it started before. */
  async function findStarted(context: Context) {
    const row = await app.tasks.find(context.requestId())
    if (!row) return undefined
    context.note({ entity: '控制任务', id: row.id, name: `${row.title}（重复提交）` })
    return taskOf(row)
  }

  /** Plans a retry or undo of a finished task: its devices and the values each is set to. */
  async function planAfter(id: string, context: Context, origin: 'retry' | 'undo') {
    const source = await find(id, context)
    mustControl(context, source.projectId, source.permission)
    if (source.doneTime === null) throw refused('任务还在执行，请等它结束')
    if (source.undoneBy)
      throw refused(`这个任务已经恢复过原状${origin === 'retry' ? '，不再重试' : ''}`)
    await Promise.all([engine.flush(id), app.devices.states.flush()])
    const rows = await queries.ledger(source.projectId, id, followed[origin])
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
        skip: skips(device, source.permission, origin === 'undo' && source.approvedBy !== ''),
      }))
      // A device that had never reported has no earlier values to restore.
      .filter(({ target }) => Object.keys(target).length > 0)
    if (planned.length === 0)
      throw refused(origin === 'retry' ? '没有失败的设备' : '没有可以恢复的设备')
    return { source, planned }
  }

  /** Starts a retry or undo of an earlier task. */
  async function follow(id: string, context: Context, origin: 'retry' | 'undo') {
    const started = await findStarted(context)
    if (started) return started
    context.assertBeforeDeadline()
    const { source, planned } = await planAfter(id, context, origin)
    const title = `${origin === 'retry' ? '重试' : '恢复原状'}：${source.title.replace(/^(重试|恢复原状)：/, '')}`
    const { projectId, permission } = source
    await projectMustAllow(app.db, projectId, 'control')
    const mine = context.requestId()
    const start = () =>
      begin({ projectId, origin, sourceId: id, title, permission }, planned, context, mine)
    if (origin === 'retry') return start()
    const taken = await queries.takeUndo(id, mine)
    if (!taken) throw refused('这个任务已经恢复过原状')
    const task = await start().catch(async (error) => {
      await queries.giveUndoBack(id)
      throw error
    })
    app.tasks.events.emit('changed', taken)
    return task
  }

  serve(app, controlApi, {
    async preflight(request, context) {
      const permission = permissionFor(request)
      mustControl(context, request.projectId, permission)
      await app.devices.states.flush()
      return preflightRequest(app.db, request, permission)
    },
    async start(request, context) {
      const permission = permissionFor(request)
      mustControl(context, request.projectId, permission)
      const { projectId, kind: origin } = request
      if (request.kind !== 'scene' && request.includeProtected)
        throw refused('控制受保护的设备需要另一位同事同意，请先申请')
      await projectMustAllow(app.db, projectId, 'control')
      const started = await findStarted(context)
      if (started) return started
      context.assertBeforeDeadline()
      const id = context.requestId()
      if (request.kind === 'scene') {
        const cause = request.trial ? 'trial' : 'manual'
        return app.scenes.press({ projectId, id: request.sceneId }, cause, context, id)
      }
      await app.devices.states.flush()
      const { title, planned } = await planRequest(app.db, request, permission)
      return begin({ projectId, origin, sourceId: null, title, permission }, planned, context, id)
    },
    async get({ id }, context) {
      const task = await find(id, context)
      mustView(context, task.projectId)
      return task
    },
    async ledger({ id, state, pageNo, pageSize }, context) {
      const task = await find(id, context)
      mustView(context, task.projectId)
      const states = state
        ?.split(',')
        .filter((one): one is LedgerState => LedgerState.safeParse(one).success)
      await engine.flush(id)
      const [{ list, ...rest }, spaces] = await Promise.all([
        queries.ledgerPage(task, states?.length ? states : undefined, { pageNo, pageSize }),
        queries.spaces(task.projectId),
      ])
      const tree = treeOf(spaces)
      const placeOf = (spaceId: string | null) =>
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
          place: placeOf(spaceId),
        })),
      }
    },
    async recent({ projectId }, context) {
      mustView(context, projectId)
      return (await queries.recent(projectId)).map((row) =>
        taskOf(app.tasks.current(row.id) ?? row),
      )
    },
    async cancel({ id }, context) {
      const task = await find(id, context)
      mustControl(context, task.projectId, task.permission)
      context.note({ entity: '控制任务', id, name: task.title })
      return taskOf(await app.tasks.cancel(id))
    },
    async undoPreflight({ id }, context) {
      const { source, planned } = await planAfter(id, context, 'undo')
      const later = await queries.later(source.projectId, id, followed.undo)
      return { ...preflightOf(planned), later }
    },
    retry: ({ id }, context) => follow(id, context, 'retry'),
    undo: ({ id }, context) => follow(id, context, 'undo'),
  })
}

/**
 * Entry states that a retry or an undo covers; both cover `unknown`, because such an entry may have succeeded or
 * failed.
 */
const followed: Record<'retry' | 'undo', LedgerState[]> = {
  retry: ['failed', 'timeout', 'unknown'],
  undo: ['success', 'confirmed', 'unknown'],
}
