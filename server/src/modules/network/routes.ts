import { networkApi } from '@iot/shared/contract/network'
import type { FastifyInstance } from 'fastify'
import { found, refused } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { componentsOf, doorOf } from './components'
import { networkQueries } from './queries'
import { reach } from './reach'

export function networkRoutes(app: FastifyInstance) {
  const queries = networkQueries(app.db)

  serve(app, networkApi, {
    list: () => componentsOf(app),
    async refusals(query, { projectScope }) {
      await app.devices.refusals.flush()
      return queries.refusals(query, projectScope)
    },
    clients: (query, { projectScope }) => queries.clients(query, projectScope),

    async kick({ id }, context) {
      if (!app.devices.mqttPorts) throw refused('外部消息服务上的连接，请在它的管理页面断开')
      const client = found(await queries.connected(id, context.projectScope), '在线的客户端')
      context.note({ entity: '设备', id, name: client.name })
      await app.devices.forget([client], true)
      return null
    },

    async test({ key }) {
      const door = doorOf(app, key)
      if (!door) throw refused('这个组件没有开启')
      return reach(door)
    },
  })
}
