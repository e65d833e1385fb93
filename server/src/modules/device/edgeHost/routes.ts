import { edgeHostSchemas } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import type { FastifyInstance } from 'fastify'
import { createRefusal } from '../../../core/refusal'
import { serve } from '../../../core/http/serve'
import { createExportHandler } from '../../../core/tasks/export'
import { assertCanView } from '../policy/scope'
import { assertProjectAllows } from '../../project/policy'
import { createDeviceActions } from '../actions'
import type { DeviceRow } from '../queries'
import {
  assertOnline,
  entity,
  getVisibleHost,
  loadHost,
  prepareCreate,
  prepareUpdate,
} from './actions'
import { createConfigHandlers } from './configHandlers'
import { importHosts } from './importHosts'
import { edgeHostQueries } from './queries'
import { createReplaceHandler } from './replaceHost'
import { exportColumns } from './sheet'

export function edgeHostRoutes(app: FastifyInstance) {
  const queries = edgeHostQueries(app.db)
  const { devices } = app
  const actions = createDeviceActions(app)

  const loadHostDetail = async (row: DeviceRow) => ({
    ...(await loadHost(row, queries)),
    ...(await devices.refusals.describe(row)),
  })
  const forgetHosts = async (ids: string[]) =>
    devices.forget(await queries.findIdentities(ids), false)
  const importHandler = importHosts(app, forgetHosts)

  serve(app, edgeHostApi, edgeHostSchemas, {
    async page(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      return queries.listHosts(query)
    },
    async get({ id }, context) {
      await devices.states.flush()
      return loadHostDetail(await getVisibleHost(id, context, queries))
    },

    async create(draft, context) {
      assertCanView(context, draft.projectId)
      return context.write(edgeHostQueries, prepareCreate(draft, context.user.username))
    },
    async importRows(input, context) {
      assertCanView(context, input.projectId)
      await assertProjectAllows(app.db, input.projectId, 'register')
      return importHandler(input, context)
    },
    async exportRows(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      const file = { entity, sheet: exportColumns, page: queries.listHosts }
      return createExportHandler(app, edgeHostApi.exportRows, file)(query, context)
    },

    async update(change, context) {
      await devices.states.flush()
      const updatedHost = await context.write(edgeHostQueries, prepareUpdate(change, context))
      await forgetHosts([change.id])
      return {
        ...updatedHost,
        ...(await devices.refusals.describe(await getVisibleHost(change.id, context, queries))),
      }
    },

    replace: createReplaceHandler(app, actions),

    async restart({ id }, context) {
      const row = await getVisibleHost(id, context, queries)
      assertOnline(row, '重启')
      const { model } = (await queries.findProduct(row.productId))!
      if (!model.services.some(({ identifier }) => identifier === 'Restart'))
        throw createRefusal('产品的物模型没有 Restart 服务，不能远程重启')
      const { code, message } = await actions.callService(row, 'Restart', {}, context, entity)
      if (code !== 200) throw createRefusal(`主机没有重启：返回 ${code} ${message}`.trim())
      return { code, message }
    },

    ...createConfigHandlers(app, actions.answerTimeoutMs),
  })
}
