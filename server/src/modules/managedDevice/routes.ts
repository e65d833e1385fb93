import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { rights } from '@iot/shared/contract/homeRights'
import type { FastifyInstance } from 'fastify'
import { wrongField } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { idsOf, perRow } from '../../core/serve/perRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { secretOf } from '../../device-access/registration'
import { controlsOf } from '../controlType/policy'
import { mustControl } from '../control/policy'
import { devicesNaming, mustView } from '../device/policy'
import { device } from '../../tables/device'
import { about, asChanged, deviceActions, entity, named, register } from './actions'
import { projectMustAllow } from '../project/policy'
import { fileOf, historyOf } from './history'
import { hopsOf } from './hops'
import { importDevices } from './importDevices'
import { placing } from './placing'
import { managedDeviceQueries, type DeviceRow } from './queries'
import { recordQueries } from './records'
import { sheet } from './sheet'

export function managedDeviceRoutes(app: FastifyInstance) {
  const queries = managedDeviceQueries(app.db)
  const records = recordQueries(app.db)
  const { devices, references } = app
  const { mine, cut, call, updating } = deviceActions(app)
  references.add('device', (db, ids) => devicesNaming(db, device.gatewayId, ids, '子设备'))
  references.add('device', (db, ids) => managedDeviceQueries(db).scenesOf(ids))
  references.add('space', (db, ids) => devicesNaming(db, device.spaceId, ids))

  const manyOf = async (ids: string[], { seesProject }: Context, rows = queries) =>
    (await rows.many(ids)).filter(({ projectId }) => seesProject(projectId))

  serve(app, managedDeviceApi, {
    async page(query, context) {
      mustView(context, query.projectId)
      await devices.states.flush()
      return queries.page(query)
    },
    async get({ id }, context) {
      await devices.states.flush()
      return named(await mine(id, context), queries)
    },

    async create(draft, context) {
      mustView(context, draft.projectId)
      return context.write(managedDeviceQueries, register(draft, context.user.username))
    },

    async update(change, context) {
      await devices.states.flush()
      const saved = await context.write(managedDeviceQueries, updating(change, context))
      await devices.forget(await queries.identities([change.id]), false)
      return saved
    },

    async remove({ id }, context) {
      const row = await mine(id, context)
      await references.mustBeFree(app.db, 'device', id, `设备“${row.name}”`, context)
      await cut([id], 'deleted')
      const identities = await queries.identities([id])
      await context.write(managedDeviceQueries, async (rows, note) => {
        await rows.removeAll([row])
        note(about(row, { before: asChanged(row) }))
      })
      await devices.forget(identities, true)
      return null
    },
    async removeMany({ ids }, context) {
      const used = await references.inUse(app.db, 'device', ids, context)
      const list = await manyOf(ids, context)
      const answer = await perRow(
        ids,
        list,
        ({ id }) => used.get(id),
        async (free) => {
          await cut(idsOf(free), 'deleted')
          const identities = await queries.identities(idsOf(free))
          await context.write(managedDeviceQueries, async (rows, note) => {
            await rows.removeAll(free)
            for (const row of free) note(about(row, { before: asChanged(row) }))
          })
          await devices.forget(identities, true)
        },
      )
      return answer
    },

    async setStatus({ ids, status }, context) {
      const isDisabled = status === 'disabled'
      const list = await manyOf(ids, context)
      return perRow(
        ids,
        list,
        () => undefined,
        async (all) => {
          const differ = all.filter(({ state }) => (state === 'disabled') !== isDisabled)
          if (differ.length === 0) return
          // Pending reports are saved first, so that none of them sets a disabled device online again.
          await devices.states.flush()
          const by = context.user.username
          const shown = await context.write(managedDeviceQueries, async (rows, note) => {
            const changed = await rows.setDisabled(idsOf(differ), isDisabled, by)
            for (const before of differ) {
              const state = changed.find(({ id }) => id === before.id)?.state ?? before.state
              note(about(before, { before, after: { ...before, state } }))
            }
            return changed
          })
          devices.states.events.emit('changed', shown)
          if (isDisabled) return cut(idsOf(differ), 'disabled')
          const identities = await queries.identities(idsOf(differ))
          await devices.forget(identities, false)
          await devices.notify(identities, 'enabled')
        },
      )
    },

    ...placing(app),

    async move({ ids, projectId, spaceId }, context) {
      mustView(context, projectId)
      await projectMustAllow(app.db, projectId, 'register')
      const place = await queries.placeOf(projectId, spaceId)
      if (!place) throw wrongField('spaceId', '所选位置不存在或已被删除')
      await devices.states.flush()
      const list = await manyOf(ids, context)
      const leaving = idsOf(list.filter((row) => row.projectId !== projectId))
      const used = await references.counts(app.db, 'device', leaving)
      const refusal = ({ id }: DeviceRow) =>
        used.has(id) && `正被 ${used.get(id)} 处使用（子设备或场景），不能移到别的项目`
      const by = context.user.username
      const answer = await perRow(ids, list, refusal, (free) =>
        context.write(managedDeviceQueries, async (rows, note) => {
          const stood = await rows.named(free)
          const staying = free.filter((row) => row.projectId === projectId)
          await rows.placeAt(place, staying, by)
          for (const from of new Set(free.map((row) => row.projectId)))
            if (from !== projectId) {
              const some = free.filter((row) => row.projectId === from)
              await rows.moveTo(place, some, by)
            }
          const after = await rows.named(await rows.many(idsOf(free)))
          for (const before of stood)
            note(
              about(before, {
                before: asChanged(before),
                after: asChanged(after.find(({ id }) => id === before.id)!),
              }),
            )
        }),
      )
      // The moved devices reconnect and are then assigned to the new project.
      const gone = new Set(idsOf(answer.filter(({ ok }) => ok)))
      const identities = await queries.identities(leaving.filter((id) => gone.has(id)))
      devices.endCalls(identities, '等待应答时设备已移到别的项目')
      await devices.forget(identities, true)
      return answer
    },

    async replaceSecret({ id }, context) {
      const row = await mine(id, context)
      const deviceSecret = secretOf()
      const secret = await context.write(managedDeviceQueries, async (rows, note) => {
        const { productKey, deviceName, name } = await named(row, rows)
        await rows.replaceSecret({ productKey, deviceName }, deviceSecret)
        note({ entity, id, name, after: { 设备密钥: deviceSecret } })
        return { id, name, productKey, deviceName, deviceSecret }
      })
      const identities = await queries.identities([id])
      devices.endCalls(identities, '等待应答时设备已更换密钥')
      await devices.forget(identities, true)
      return secret
    },

    async live({ id }, context) {
      await devices.states.flush()
      const row = await mine(id, context)
      const { model, controlTypes } = (await queries.product(row.productId))!
      const controls = await controlsOf(app.db, controlTypes)
      const refused = await devices.refusals.describe(row)
      return { ...row, ...refused, model, controls, ...(await records.said(row)) }
    },
    events: async ({ id }, context) => records.events(await mine(id, context)),
    async messages({ id }, context) {
      await devices.messages.flush()
      return records.messages(await mine(id, context))
    },
    async commands({ id }, context) {
      const row = await mine(id, context)
      const { model } = (await queries.product(row.productId))!
      const of = { name: row.name, model }
      return (await records.commands(row)).map((one) => ({ ...one, hops: hopsOf(one, of) }))
    },

    async history(asked, context) {
      const row = await mine(asked.id, context)
      await devices.states.flush()
      const { model } = (await queries.product(row.productId))!
      return (await historyOf(app.db, row, model, asked)).history
    },
    async exportHistory(asked, context) {
      const row = await mine(asked.id, context)
      await devices.states.flush()
      const { model } = (await queries.product(row.productId))!
      const { property, history, timeZone } = await historyOf(app.db, row, model, asked)
      const fileName = `${row.name} ${property.name}历史`
      const file = {
        entity: '设备历史',
        fileName,
        ...fileOf(property, history, asked.timeZone ?? timeZone),
      }
      return exporter(app, managedDeviceApi.exportHistory, file)({ timeZone, ...asked }, context)
    },

    async service({ id, identifier, params }, context) {
      const row = await mine(id, context)
      mustControl(context, row.projectId, rights.control.permission)
      return call(row, identifier, params, context)
    },

    importRows: importDevices(app),
    async exportRows(asked, context) {
      mustView(context, asked.projectId)
      await devices.states.flush()
      const page = queries.page.bind(queries)
      return exporter(app, managedDeviceApi.exportRows, { entity, sheet, page })(asked, context)
    },
  })
}
