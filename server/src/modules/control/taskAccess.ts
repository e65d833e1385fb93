import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import { createMissingRefusal } from '../../core/refusal'
import type { Context } from '../../core/http/context'
import { assertReachesDevices, countHeld, type TaskOrigin } from './control'
import type { Planned } from './plan'
import { formatTaskSize } from './policy'
import { getControlDetail, toControlTask } from './queries'

/** Finds and starts control tasks in the name of the user of a request. */
export function createTaskAccess(app: FastifyInstance) {
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
      after: formatTaskSize(affected, {
        total: planned.length,
        unit: origin.unit,
        held: countHeld(planned),
      }),
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
    const { permission, bypassesOverride = false } = getControlDetail(row)
    return { ...toControlTask(row), permission, bypassesOverride }
  }

  /** The request id is the idempotency key: a repeated request finds the task that it started before. */
  async function findStarted(context: Context) {
    const row = await app.tasks.find(context.requestId())
    if (!row) return undefined
    context.recordChange({ entity: '控制任务', id: row.id, name: `${row.title}（重复提交）` })
    return toControlTask(row)
  }

  return { startTask, findTask, findStarted }
}
export type TaskAccess = ReturnType<typeof createTaskAccess>
