import type { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { getControlTypes } from '../controlType/policy'
import { createDeviceActions } from './actions'
import { buildHistoryFile, readPropertyHistory } from './history'
import { listHops } from './hops'
import { managedDeviceQueries } from './queries'
import { recordQueries } from './records'

type RecordHandlers = Pick<
  Handlers<typeof managedDeviceSchemas>,
  'live' | 'events' | 'messages' | 'commands' | 'history' | 'exportHistory'
>

/** Handlers that show the state of a device and the records about it. */
export function createRecordHandlers(app: FastifyInstance): RecordHandlers {
  const queries = managedDeviceQueries(app.db)
  const records = recordQueries(app.db)
  const { devices } = app
  const { getVisibleDevice } = createDeviceActions(app)

  return {
    async live({ id }, context) {
      await devices.states.flush()
      const row = await getVisibleDevice(id, context)
      const { model, controlTypes } = (await queries.findProduct(row.productId))!
      const controls = await getControlTypes(app.db, controlTypes)
      const connectionRefusals = await devices.refusals.describe(row)
      return {
        ...row,
        ...connectionRefusals,
        model,
        controls,
        ...(await records.findTagsAndFirmware(row)),
      }
    },
    events: async ({ id }, context) => records.listEvents(await getVisibleDevice(id, context)),
    async messages({ id }, context) {
      await devices.messages.flush()
      return records.listMessages(await getVisibleDevice(id, context))
    },
    async commands({ id }, context) {
      const row = await getVisibleDevice(id, context)
      const { model } = (await queries.findProduct(row.productId))!
      const deviceInfo = { name: row.name, model }
      return (await records.listCommands(row)).map((command) => ({
        ...command,
        hops: listHops(command, deviceInfo),
      }))
    },

    async history(query, context) {
      const row = await getVisibleDevice(query.id, context)
      await devices.states.flush()
      const { model } = (await queries.findProduct(row.productId))!
      return (await readPropertyHistory(app.db, row, model, query)).history
    },
    async exportHistory(query, context) {
      const row = await getVisibleDevice(query.id, context)
      await devices.states.flush()
      const { model } = (await queries.findProduct(row.productId))!
      const { property, history, timeZone } = await readPropertyHistory(app.db, row, model, query)
      const fileName = `${row.name} ${property.name}历史`
      const file = {
        entity: '设备历史',
        fileName,
        ...buildHistoryFile(property, history, query.timeZone ?? timeZone),
      }
      return createExportHandler(
        app,
        managedDeviceApi.exportHistory,
        file,
      )({ timeZone, ...query }, context)
    },
  }
}
