import { networkSchemas } from '@iot/shared/contract/device/network.schema'
import { networkApi } from '@iot/shared/contract/device/network.api'
import type { FastifyInstance } from 'fastify'
import { requireRow, createRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { listComponents, getTestTarget } from './components'
import { networkQueries } from './queries'
import { testReachability } from './reachability'

/** The page of a client shows this many refused connections. */
const shownRefusals = 20

export function networkRoutes(app: FastifyInstance) {
  const queries = networkQueries(app.db)

  serve(app, networkApi, networkSchemas, {
    list: () => listComponents(app),
    async refusals(query, { projectScope }) {
      await app.devices.refusals.flush()
      return queries.listRefusals(query, projectScope)
    },
    clients: (query, { projectScope }) => queries.listClients(query, projectScope),

    async get({ id }, { projectScope }) {
      const client = requireRow(await queries.findClient(id, projectScope), '客户端')
      const refusals = await app.devices.refusals.findNewest(
        { deviceId: id },
        [client.projectId],
        shownRefusals,
      )
      const connection = app.devices.describeConnection?.(client) ?? null
      return { ...client, refusals, connection }
    },

    async kick({ id }, context) {
      if (!app.devices.mqttPorts) throw createRefusal('外部消息服务上的连接，请在它的管理页面断开')
      const client = requireRow(
        await queries.findConnectedClient(id, context.projectScope),
        '在线的客户端',
      )
      context.recordChange({ entity: '设备', id, name: client.name })
      await app.devices.forget([client], true)
      return null
    },

    async test({ key }) {
      const target = getTestTarget(app, key)
      if (!target) throw createRefusal('这个组件没有开启')
      return testReachability(target)
    },
  })
}
