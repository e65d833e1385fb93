import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { FastifyInstance } from 'fastify'
import { createFieldRefusal } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { getIds, applyPerRow } from '../../core/serve/applyPerRow'
import { serve } from '../../core/serve/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createSecret } from '../../device-access/registration/registration'
import { getControlTypes } from '../controlType/policy'
import { assertCanControl } from '../control/policy'
import { listReferencingDevices, assertCanView } from '../device/policy'
import { device } from '../../tables/device'
import {
  toDeviceAuditEntry,
  withoutState,
  createDeviceActions,
  entity,
  toNamedDevice,
  registerDevice,
} from './actions'
import { assertProjectAllows } from '../project/policy'
import { buildHistoryFile, readPropertyHistory } from './history'
import { listHops } from './hops'
import { importDevices } from './importDevices'
import { createPlacementHandlers } from './placement'
import { managedDeviceQueries, type DeviceRow } from './queries'
import { recordQueries } from './records'
import { sheet } from './sheet'

export function managedDeviceRoutes(app: FastifyInstance) {
  const queries = managedDeviceQueries(app.db)
  const records = recordQueries(app.db)
  const { devices, references } = app
  const { getVisibleDevice, disconnectDevices, callService, prepareUpdate } =
    createDeviceActions(app)
  references.add('device', (db, ids) => listReferencingDevices(db, device.gatewayId, ids, '子设备'))
  references.add('device', (db, ids) => managedDeviceQueries(db).findScenesUsing(ids))
  references.add('space', (db, ids) => listReferencingDevices(db, device.spaceId, ids))

  const findVisibleDevices = async (ids: string[], { seesProject }: Context, rows = queries) =>
    (await rows.many(ids)).filter(({ projectId }) => seesProject(projectId))

  serve(app, managedDeviceApi, {
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

    async remove({ id }, context) {
      const row = await getVisibleDevice(id, context)
      await references.assertNotReferenced(app.db, 'device', id, `设备“${row.name}”`, context)
      await disconnectDevices([id], 'deleted')
      const identities = await queries.findIdentities([id])
      await context.write(managedDeviceQueries, async (rows, recordAudit) => {
        await rows.removeAll([row])
        recordAudit(toDeviceAuditEntry(row, { before: withoutState(row) }))
      })
      await devices.forget(identities, true)
      return null
    },
    async removeMany({ ids }, context) {
      const usageReasons = await references.findUsageReasons(app.db, 'device', ids, context)
      const list = await findVisibleDevices(ids, context)
      const answer = await applyPerRow(
        ids,
        list,
        ({ id }) => usageReasons.get(id),
        async (removableRows) => {
          await disconnectDevices(getIds(removableRows), 'deleted')
          const identities = await queries.findIdentities(getIds(removableRows))
          await context.write(managedDeviceQueries, async (rows, recordAudit) => {
            await rows.removeAll(removableRows)
            for (const row of removableRows)
              recordAudit(toDeviceAuditEntry(row, { before: withoutState(row) }))
          })
          await devices.forget(identities, true)
        },
      )
      return answer
    },

    async setStatus({ ids, status }, context) {
      const isDisabled = status === 'disabled'
      const list = await findVisibleDevices(ids, context)
      return applyPerRow(
        ids,
        list,
        () => undefined,
        async (visibleDevices) => {
          const devicesToChange = visibleDevices.filter(
            ({ state }) => (state === 'disabled') !== isDisabled,
          )
          if (devicesToChange.length === 0) return
          // Pending reports are saved first, so that none of them sets a disabled device online again.
          await devices.states.flush()
          const actor = context.user.username
          const liveRows = await context.write(managedDeviceQueries, async (rows, recordAudit) => {
            const updatedRows = await rows.setDisabled(getIds(devicesToChange), isDisabled, actor)
            for (const before of devicesToChange) {
              const state = updatedRows.find(({ id }) => id === before.id)?.state ?? before.state
              recordAudit(toDeviceAuditEntry(before, { before, after: { ...before, state } }))
            }
            return updatedRows
          })
          devices.states.events.emit('changed', liveRows)
          if (isDisabled) return disconnectDevices(getIds(devicesToChange), 'disabled')
          const identities = await queries.findIdentities(getIds(devicesToChange))
          await devices.forget(identities, false)
          await devices.notify(identities, 'enabled')
        },
      )
    },

    ...createPlacementHandlers(app),

    async move({ ids, projectId, spaceId }, context) {
      assertCanView(context, projectId)
      await assertProjectAllows(app.db, projectId, 'register')
      const place = await queries.findPlacement(projectId, spaceId)
      if (!place) throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
      await devices.states.flush()
      const list = await findVisibleDevices(ids, context)
      const leavingIds = getIds(list.filter((row) => row.projectId !== projectId))
      const usageCounts = await references.counts(app.db, 'device', leavingIds)
      const getRefusal = ({ id }: DeviceRow) =>
        usageCounts.has(id) &&
        `正被 ${usageCounts.get(id)} 处使用（子设备或场景），不能移到别的项目`
      const actor = context.user.username
      const answer = await applyPerRow(ids, list, getRefusal, (movableRows) =>
        context.write(managedDeviceQueries, async (rows, recordAudit) => {
          const previousRows = await rows.addNames(movableRows)
          const stayingRows = movableRows.filter((row) => row.projectId === projectId)
          await rows.moveWithinProject(place, stayingRows, actor)
          for (const sourceProjectId of new Set(movableRows.map((row) => row.projectId)))
            if (sourceProjectId !== projectId) {
              const rowsOfProject = movableRows.filter((row) => row.projectId === sourceProjectId)
              await rows.moveToProject(place, rowsOfProject, actor)
            }
          const after = await rows.addNames(await rows.many(getIds(movableRows)))
          for (const before of previousRows)
            recordAudit(
              toDeviceAuditEntry(before, {
                before: withoutState(before),
                after: withoutState(after.find(({ id }) => id === before.id)!),
              }),
            )
        }),
      )
      // The moved devices reconnect and are then assigned to the new project.
      const movedIds = new Set(getIds(answer.filter(({ ok }) => ok)))
      const identities = await queries.findIdentities(leavingIds.filter((id) => movedIds.has(id)))
      devices.endCalls(identities, '等待应答时设备已移到别的项目')
      await devices.forget(identities, true)
      return answer
    },

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
      return (await records.listCommands(row)).map((one) => ({
        ...one,
        hops: listHops(one, deviceInfo),
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

    async service({ id, identifier, params }, context) {
      const row = await getVisibleDevice(id, context)
      assertCanControl(context, row.projectId, devicePermissions.control.permission)
      return callService(row, identifier, params, context)
    },

    importRows: importDevices(app),
    async exportRows(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      const page = queries.page.bind(queries)
      return createExportHandler(app, managedDeviceApi.exportRows, { entity, sheet, page })(
        query,
        context,
      )
    },
  })
}
