import { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createSecret } from '../../device-access/registration/registration'
import { assertCanControl } from '../control/policy'
import { listReferencingDevices, assertCanView } from './policy/scope'
import { device } from '../../tables/device'
import { createDeviceActions, entity, toNamedDevice, registerDevice } from './actions'
import { createDeviceBulkHandlers } from './deviceBulkHandlers'
import { createChangeProductHandlers } from './changeProduct'
import { createConnectParametersHandler } from './connectParameters'
import { importDevices } from './importDevices'
import { createMoveHandler } from './moveDevices'
import { createPlacementHandlers } from './placement'
import { managedDeviceQueries } from './queries'
import { createRecordHandlers } from './recordHandlers'
import { createReplaceSecretsHandler } from './replaceSecrets'
import { sheet } from './sheet'

export function managedDeviceRoutes(app: FastifyInstance) {
  const queries = managedDeviceQueries(app.db)
  const { devices, references } = app
  const { getVisibleDevice, callService, prepareUpdate } = createDeviceActions(app)
  references.add('device', (db, ids) => listReferencingDevices(db, device.gatewayId, ids, '子设备'))
  references.add('space', (db, ids) => listReferencingDevices(db, device.spaceId, ids))

  serve(app, managedDeviceApi, managedDeviceSchemas, {
    async page(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      return queries.page(query)
    },
    async get({ id }, context) {
      await devices.states.flush()
      return toNamedDevice(await getVisibleDevice(id, context), queries)
    },

    async create(draft, context) {
      assertCanView(context, draft.projectId)
      return context.write(managedDeviceQueries, registerDevice(draft, context.user.username))
    },

    async update(change, context) {
      await devices.states.flush()
      const updatedDevice = await context.write(
        managedDeviceQueries,
        prepareUpdate(change, context),
      )
      await devices.forget(await queries.findIdentities([change.id]), false)
      return updatedDevice
    },

    ...createDeviceBulkHandlers(app),
    ...createPlacementHandlers(app),
    move: createMoveHandler(app),
    ...createChangeProductHandlers(app),

    async replaceSecret({ id }, context) {
      const row = await getVisibleDevice(id, context)
      const deviceSecret = createSecret()
      const secret = await context.write(managedDeviceQueries, async (rows, recordAudit) => {
        const { productKey, deviceName, name } = await toNamedDevice(row, rows)
        await rows.replaceSecret({ productKey, deviceName }, deviceSecret)
        recordAudit({ entity, id, name, after: { 设备密钥: deviceSecret } })
        return { id, name, productKey, deviceName, deviceSecret }
      })
      const identities = await queries.findIdentities([id])
      devices.endCalls(identities, '等待应答时设备已更换密钥')
      await devices.forget(identities, true)
      return secret
    },

    replaceSecrets: createReplaceSecretsHandler(app),
    connectParameters: createConnectParametersHandler(app),

    ...createRecordHandlers(app),

    async service({ id, identifier, params }, context) {
      const row = await getVisibleDevice(id, context)
      assertCanControl(context, row.projectId, devicePermissions.control.permission)
      return callService(row, identifier, params, context)
    },

    importRows: importDevices(app),
    async exportRows(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      const file = { entity, sheet, page: queries.page }
      return createExportHandler(app, managedDeviceApi.exportRows, file)(query, context)
    },
  })
}
