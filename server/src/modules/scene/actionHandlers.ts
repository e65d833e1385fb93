import type { sceneSchemas } from '@iot/shared/contract/control/scene.schema'
import type { FastifyInstance } from 'fastify'
import { createFieldRefusal, createFieldsRefusal } from '../../core/refusal'
import type { Handlers } from '../../core/http/serve'
import { assertCanView } from '../device/policy/scope'
import { captureActions } from './capture'
import { readSceneFacts, refuseTargets, selectDevicesInScope } from './policy'
import type { SceneQueries } from './queries'

/** Creates the handlers behind the editor of actions: device types, devices and capture of the current state. */
export const createActionHandlers = (
  app: FastifyInstance,
  queries: SceneQueries,
): Pick<Handlers<typeof sceneSchemas>, 'types' | 'devices' | 'capture' | 'preflight'> => ({
  async types({ projectId }, context) {
    assertCanView(context, projectId)
    const { devices, models, types } = await readSceneFacts(queries, projectId, null)
    const codes = [...new Set(devices.map(({ productType }) => productType))]
    return codes.flatMap((code) => {
      const products = new Set(
        devices.flatMap((device) => (device.productType === code ? device.productId : [])),
      )
      const allProperties = [...products].flatMap((id) => models.get(id)!.properties)
      // A function is deprecated for the type only if no product of the type offers it any more.
      const offeredIdentifiers = new Set(
        allProperties.flatMap(({ identifier, isDeprecated }) => (isDeprecated ? [] : identifier)),
      )
      const properties = [
        ...new Map(
          allProperties
            .filter((one) => !one.isDeprecated || !offeredIdentifiers.has(one.identifier))
            .map((property) => [property.identifier, property]),
        ).values(),
      ]
      const name = types.get(code) ?? code
      return properties.length > 0 ? { code, name, properties } : []
    })
  },
  async devices({ projectId, ids, text = '', productType }, context) {
    assertCanView(context, projectId)
    const requestedIds = ids && new Set(ids)
    const matchingDevices = (await queries.listActionDevices(projectId)).filter(
      (device) =>
        (requestedIds ? requestedIds.has(device.id) : device.name.includes(text.trim())) &&
        (productType ?? device.productType) === device.productType,
    )
    return requestedIds ? matchingDevices : matchingDevices.slice(0, 50)
  },
  async preflight({ projectId, actions }, context) {
    assertCanView(context, projectId)
    const scopes = actions.map(({ scope }) => scope)
    const fields = refuseTargets(actions, await readSceneFacts(queries, projectId, null, scopes))
    if (Object.keys(fields).length > 0) throw createFieldsRefusal(fields)
    await app.devices.states.flush()
    return app.control.preflightActions(projectId, actions)
  },
  async capture({ projectId, scope, productType }, context) {
    assertCanView(context, projectId)
    const facts = await readSceneFacts(queries, projectId, null, [scope])
    const devices = selectDevicesInScope(facts, scope, productType)
    if (!devices) throw createFieldRefusal('scope', '所选范围或设备不存在或已被删除')
    await app.devices.states.flush()
    const ids = devices.map(({ id }) => id)
    const liveById = new Map(
      (ids.length > 0 ? await queries.readLiveValues(projectId, ids) : []).map((item) => [
        item.id,
        item,
      ]),
    )
    return captureActions(
      devices.map((device) => ({
        ...device,
        ...liveById.get(device.id)!,
        model: facts.models.get(device.productId)!,
      })),
      scope,
      productType,
    )
  },
})
