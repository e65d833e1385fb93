import { HoldOffNoteDraft, holdSchemas } from '@iot/shared/contract/control/holdOffNote.schema'
import { holdApi } from '@iot/shared/contract/control/holdOffNote.api'
import type { FastifyInstance } from 'fastify'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createMissingRefusal, createRefusal, createFieldRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { assertCanView } from '../device/policy/scope'
import { holdQueries } from './holds'
import { toControlTask } from './queries'

const describeHoldChange = createChangeDescriber(
  '值班备注',
  HoldOffNoteDraft.omit({ taskId: true }),
)
/** A note lists at most this many later tasks. */
const maxListedTasks = 3

/**
 * A hold-off note blocks no commands: schedules and other users may still change the devices, and the list shows which
 * tasks did.
 */
export async function holdRoutes(app: FastifyInstance) {
  serve(app, holdApi, holdSchemas, {
    async list({ projectId }, context) {
      assertCanView(context, projectId)
      const queries = holdQueries(app.db)
      const openHolds = await queries.findOpen(projectId)
      const laterTasks = openHolds.length > 0 ? await queries.findOverridden(projectId) : []
      return openHolds.map(({ counts, ...hold }) => ({
        ...hold,
        devices: (counts.success ?? 0) + (counts.confirmed ?? 0) + (counts.unknown ?? 0),
        overriddenBy: laterTasks
          .filter(({ holdId }) => holdId === hold.id)
          .slice(0, maxListedTasks),
      }))
    },
    async create(draft, context) {
      const row = await app.tasks.find(draft.taskId)
      if (row?.kind !== 'control' || !context.seesProject(row.projectId!))
        throw createMissingRefusal('控制任务')
      const task = toControlTask(row)
      if (task.doneTime === null) throw createRefusal('任务还在执行，请等它结束')
      if (task.origin === 'undo' || task.undoneBy)
        throw createRefusal('已恢复原状，不能再加值班备注')
      const { success, confirmed, unknown } = task.counts
      if (success + confirmed + unknown === 0) throw createRefusal('没有设备执行了这个任务')
      return context.write(holdQueries, async (holdRows, note) => {
        if (draft.until !== null && !(await holdRows.isInFuture(draft.until)))
          throw createFieldRefusal('until', '结束时间须晚于现在')
        const { projectId } = task
        const id = await holdRows.insert({ ...draft, projectId, createBy: context.user.username })
        if (!id) throw createRefusal('这个任务已有值班备注，请先解除原来的')
        note(describeHoldChange({ id, name: task.title }, { after: draft }))
        return null
      })
    },
    async end({ id }, context) {
      return context.write(holdQueries, async (rows, note) => {
        const hold = await rows.find(id)
        if (!hold || !context.seesProject(hold.projectId)) throw createMissingRefusal('值班备注')
        if (!(await rows.end(id, context.user.username)))
          throw createRefusal('这个值班备注已经解除')
        note(describeHoldChange({ id, name: hold.title }, { before: { reason: hold.reason } }))
        return null
      })
    },
  })
}
