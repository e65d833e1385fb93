import { HoldDraft, holdApi } from '@iot/shared/contract/hold'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../core/serve/actionLog'
import { missing, refused, wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { mustView } from '../device/policy'
import { holdQueries } from './holds'
import { taskOf } from './queries'

const about = changeOf('人工保留', HoldDraft.omit({ taskId: true }))
/** A manual override lists at most this many later tasks. */
const named = 3

/**
 * A manual override is a note, not a lock: schedules and other users may still change the devices, and the list shows
 * which tasks did.
 */
export async function holdRoutes(app: FastifyInstance) {
  serve(app, holdApi, {
    async list({ projectId }, context) {
      mustView(context, projectId)
      const queries = holdQueries(app.db)
      const open = await queries.open(projectId)
      const later = open.length > 0 ? await queries.overridden(projectId) : []
      return open.map(({ counts, ...hold }) => ({
        ...hold,
        devices: (counts.success ?? 0) + (counts.confirmed ?? 0) + (counts.unknown ?? 0),
        overriddenBy: later.filter(({ holdId }) => holdId === hold.id).slice(0, named),
      }))
    },
    async create(draft, context) {
      const row = await app.tasks.find(draft.taskId)
      if (row?.kind !== 'control' || !context.seesProject(row.projectId!)) throw missing('控制任务')
      const task = taskOf(row)
      if (task.doneTime === null) throw refused('任务还在执行，请等它结束')
      if (task.origin === 'undo' || task.undoneBy) throw refused('已恢复原状，没有可以保留的')
      const { success, confirmed, unknown } = task.counts
      if (success + confirmed + unknown === 0) throw refused('没有设备执行了这个任务')
      return context.write(holdQueries, async (rows, note) => {
        if (draft.until !== null && !(await rows.isAhead(draft.until)))
          throw wrongField('until', '结束时间须晚于现在')
        const { projectId } = task
        const id = await rows.insert({ ...draft, projectId, createBy: context.user.username })
        if (!id) throw refused('这个任务已在保留，请先结束原来的')
        note(about({ id, name: task.title }, { after: draft }))
        return null
      })
    },
    async end({ id }, context) {
      return context.write(holdQueries, async (rows, note) => {
        const hold = await rows.find(id)
        if (!hold || !context.seesProject(hold.projectId)) throw missing('保留')
        if (!(await rows.end(id, context.user.username))) throw refused('这个保留已经结束')
        note(about({ id, name: hold.title }, { before: { reason: hold.reason } }))
        return null
      })
    },
  })
}
