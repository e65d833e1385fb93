import type { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import type { FastifyInstance } from 'fastify'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import type { Context } from '../../core/http/context'
import type { Handlers } from '../../core/http/serve'
import {
  createDeviceActions,
  findVisibleDevices,
  toDeviceAuditEntry,
  withoutState,
} from './actions'
import { managedDeviceQueries, type DeviceRow } from './queries'

type BulkHandlers = Pick<
  Handlers<typeof managedDeviceSchemas>,
  'remove' | 'removeMany' | 'setStatus'
>

/** Handlers that remove, disable and enable devices and tell the devices so. */
export function createDeviceBulkHandlers(app: FastifyInstance): BulkHandlers {
  const queries = managedDeviceQueries(app.db)
  const { devices, references } = app
  const { getVisibleDevice, disconnectDevices } = createDeviceActions(app)

  async function removeDevices(removableRows: DeviceRow[], context: Context) {
    await disconnectDevices(getIds(removableRows), 'deleted')
    const identities = await queries.findIdentities(getIds(removableRows))
    await context.write(managedDeviceQueries, async (rows, recordAudit) => {
      await rows.removeAll(removableRows)
      for (const row of removableRows)
        recordAudit(toDeviceAuditEntry(row, { before: withoutState(row) }))
    })
    await devices.forget(identities, true)
  }

  /** Pending reports are saved first, so that none of them sets a disabled device online again. */
  async function changeStatus(devicesToChange: DeviceRow[], isDisabled: boolean, context: Context) {
    await devices.states.flush()
    const actor = context.user.username
    const liveRows = await context.write(managedDeviceQueries, async (rows, recordAudit) => {
      const updatedRows = await rows.setDisabled(getIds(devicesToChange), isDisabled, actor)
      for (const previousRow of devicesToChange) {
        const state =
          updatedRows.find(({ id }) => id === previousRow.id)?.state ?? previousRow.state
        recordAudit(
          toDeviceAuditEntry(previousRow, {
            before: previousRow,
            after: { ...previousRow, state },
          }),
        )
      }
      return updatedRows
    })
    devices.states.events.emit('changed', liveRows)
    if (isDisabled) return disconnectDevices(getIds(devicesToChange), 'disabled')
    const identities = await queries.findIdentities(getIds(devicesToChange))
    await devices.forget(identities, false)
    await devices.notify(identities, 'enabled')
  }

  return {
    async remove({ id }, context) {
      const row = await getVisibleDevice(id, context)
      await references.assertNotReferenced(app.db, 'device', id, `设备“${row.name}”`, context)
      await removeDevices([row], context)
      return null
    },

    async removeMany({ ids }, context) {
      const usageReasons = await references.findUsageReasons(app.db, 'device', ids, context)
      const list = await findVisibleDevices(ids, context, queries)
      return applyPerRow(
        ids,
        list,
        ({ id }) => usageReasons.get(id),
        (removableRows) => removeDevices(removableRows, context),
      )
    },

    async setStatus({ ids, status }, context) {
      const isDisabled = status === 'disabled'
      const list = await findVisibleDevices(ids, context, queries)
      return applyPerRow(
        ids,
        list,
        () => undefined,
        async (visibleDevices) => {
          const devicesToChange = visibleDevices.filter(
            ({ state }) => (state === 'disabled') !== isDisabled,
          )
          if (devicesToChange.length > 0) await changeStatus(devicesToChange, isDisabled, context)
        },
      )
    },
  }
}
