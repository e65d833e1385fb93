import type { BulkRequest } from '@iot/shared/contract/control/control.schema'
import { formatDelay } from '@iot/shared/contract/control/delayedControl'
import { delayedControlApi } from '@iot/shared/contract/control/delayedControl.api'
import { delayedControlSchemas } from '@iot/shared/contract/control/delayedControl.schema'
import type { FastifyInstance } from 'fastify'
import { createMissingRefusal, createRefusal, requireRow } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { assertCanView } from '../device/policy/scope'
import { assertReachesDevices } from './control'
import { delayedControlQueries, planDelayed } from './delayedControls'
import { assertCanControl, getRequestPermission } from './policy'
import { assertCanStart } from './startChecks'

const entity = '延时控制'

/** Returns why a request cannot wait for its time. */
function findDelayRefusal(request: BulkRequest) {
  if (request.includeProtected) return '控制受保护的设备需要另一位同事同意，不能延时'
  return request.kind === 'set' && request.onOverride ? '解除或越过手动保持不能延时' : undefined
}

/** Commands that start once after a delay, such as “十分钟后关掉三层”. */
export async function delayedControlRoutes(app: FastifyInstance) {
  const queries = delayedControlQueries(app.db)

  serve(app, delayedControlApi, delayedControlSchemas, {
    async list({ projectId }, context) {
      assertCanView(context, projectId)
      return queries.list(projectId)
    },

    async create({ request, delayMinutes }, context) {
      const { projectId } = request
      await assertCanStart(app, request, context, findDelayRefusal(request))
      // A command that reaches nothing now is most likely a mistake; what it reaches is decided when it starts.
      const { title, planned } = await planDelayed(app, request)
      assertReachesDevices(planned)
      return context.write(delayedControlQueries, async (rows, recordChange) => {
        const { id: ownerId, username: createBy } = context.user
        const id = await rows.insert({ projectId, request, title, ownerId, createBy, delayMinutes })
        recordChange({ entity, id, name: title, after: { 延时: formatDelay(delayMinutes) } })
        return requireRow(await rows.read(id), entity)
      })
    },

    async cancel({ id }, context) {
      const row = await queries.find(id)
      if (!row || !context.seesProject(row.projectId)) throw createMissingRefusal(entity)
      assertCanControl(context, row.projectId, getRequestPermission(row.request))
      return context.write(delayedControlQueries, async (rows, recordChange) => {
        if (!(await rows.cancel(id))) throw createRefusal('延时控制已经执行或取消')
        recordChange({ entity, id, name: row.title, after: { 结果: '取消' } })
        return requireRow(await rows.read(id), entity)
      })
    },
  })
}
