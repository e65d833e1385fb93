import {
  LedgerState,
  type BulkRequest,
  type ControlRequest,
  controlSchemas,
} from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { responseCodes } from '@iot/shared/contract/endpoint'
import { createOverrideFinder } from '@iot/shared/contract/control/manualOverride'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { PageQuery } from '../../core/db/page'
import type { Context } from '../../core/http/context'
import { Refusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { whereInScope } from '../device/policy/deviceScope'
import { assertCanView } from '../device/policy/scope'
import { createFollowUps } from './followUps'
import { assertReachesDevices } from './control'
import { endOverride } from './overrideRoutes'
import type { OpenOverride } from './overrides'
import type { Planned } from './plan'
import { preflightRequest } from './preflight'
import { assertCanControl, getRequestPermission } from './policy'
import { controlQueries, toControlTask, type ControlQueries } from './queries'
import { assertCanStart, planCurrentStates } from './startChecks'
import { createTaskAccess, type TaskAccess } from './taskAccess'

export async function controlRoutes(app: FastifyInstance) {
  const queries = controlQueries(app.db)
  const { engine } = app.control

  const access = createTaskAccess(app)
  const { findTask } = access
  const followUps = createFollowUps(app, access)

  serve(app, controlApi, controlSchemas, {
    async preflight(request, context) {
      const permission = getRequestPermission(request)
      assertCanControl(context, request.projectId, permission)
      await app.devices.states.flush()
      return preflightRequest(app.db, request, permission)
    },
    start: (request, context) => startRequest(app, access, request, context),
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
      return readLedgerPage(queries, task, states?.length ? states : undefined, {
        pageNo,
        pageSize,
      })
    },
    async recent({ projectId, spaceId }, context) {
      assertCanView(context, projectId)
      const isInSpace = spaceId && (await whereInScope(app.db, projectId, { spaceId }))
      return (await queries.recent(projectId, isInSpace || undefined)).map((row) =>
        toControlTask(app.tasks.current(row.id) ?? row),
      )
    },
    async cancel({ id }, context) {
      const task = await findTask(id, context)
      assertCanControl(context, task.projectId, task.permission)
      context.recordChange({ entity: '控制任务', id, name: task.title })
      return toControlTask(await app.tasks.cancel(id))
    },
    undoPreflight: ({ id }, context) => followUps.preflightUndo(id, context),
    retry: ({ id }, context) => followUps.startFollowUp(id, context, 'retry'),
    undo: ({ id }, context) => followUps.startFollowUp(id, context, 'undo'),
  })
}

/** Starts the task that a request describes, or returns the one that it started before. */
async function startRequest(
  app: FastifyInstance,
  { findStarted, startTask }: TaskAccess,
  request: ControlRequest,
  context: Context,
) {
  const { projectId, kind: origin } = request
  const permission = await assertCanStart(
    app,
    request,
    context,
    request.kind !== 'scene' &&
      request.includeProtected &&
      '控制受保护的设备需要另一位同事同意，请先申请',
  )
  const existingTask = await findStarted(context)
  if (existingTask) return existingTask
  context.assertBeforeDeadline()
  const id = context.requestId()
  if (request.kind === 'scene') {
    const cause = request.trial ? 'trial' : 'manual'
    return app.scenes.press({ projectId, id: request.sceneId }, cause, context, id)
  }
  const { title, target, planned, overrides } = await planCurrentStates(app, request, permission)
  const bypassesOverride = await settleOverride(app, request, { planned, overrides }, context)
  const detail = { projectId, origin, sourceId: null, title, permission, bypassesOverride }
  return startTask({ ...detail, ...target }, planned, context, id)
}

/**
 * Carries out what a command to a single held device says about the override. Bulk commands skip held devices instead.
 * @returns true if the command acts in spite of the override
 * @throws Refusal with the override if the command says nothing about it
 */
async function settleOverride(
  app: FastifyInstance,
  request: BulkRequest,
  { planned, overrides }: { planned: Planned[]; overrides: OpenOverride[] },
  context: Context,
) {
  const [first] = planned
  const isSingle = getRequestPermission(request) === devicePermissions.control.permission
  const answer = request.kind === 'set' ? request.onOverride : undefined
  if (!isSingle || !first?.override) return false
  const { id, text, reason, spaceId, deviceIds } = first.override
  if (!answer)
    throw new Refusal(responseCodes.held, `${first.device.name}：${text}`, {
      id,
      text,
      reason,
      isOnlyThis: spaceId === null && deviceIds.length === 1,
    })
  if (answer === 'bypass') return true
  assertReachesDevices(planned)
  context.assertBeforeDeadline()
  for (const override of overrides)
    if (createOverrideFinder([override])(first.device)) await endOverride(app.db, override, context)
  return false
}

async function readLedgerPage(
  queries: ControlQueries,
  task: Parameters<ControlQueries['ledgerPage']>[0],
  states: LedgerState[] | undefined,
  page: PageQuery,
) {
  const [{ list, ...rest }, spaces] = await Promise.all([
    queries.ledgerPage(task, states, page),
    queries.spaces(task.projectId),
  ])
  const tree = createTree(spaces)
  const formatPlace = (spaceId: string | null) => formatTreePath(tree, spaceId)
  return {
    ...rest,
    list: list.map(({ ledger, name, spaceId, floorId }) => ({
      ...ledger,
      name,
      floorId,
      place: formatPlace(spaceId),
    })),
  }
}
