import etag from '@fastify/etag'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/serve/serve'
import { offeredProtocols } from '../communicationProtocol/policy'
import { offeredVersions } from '../mapEngineering/policy'
import { dictionary } from './options'

export async function dictionaryRoutes(app: FastifyInstance) {
  // A client with an unchanged copy receives 304 without a body.
  await app.register(etag, { weak: true })
  app.addHook('onRequest', async (_, reply) => {
    reply.header('cache-control', 'private, no-cache')
  })

  serve(app, dictionaryApi, {
    async config({ type }) {
      const versions = (await offeredVersions(app.db)).map(({ engineeringId, name }) => ({
        code: String(engineeringId),
        description: name,
      }))
      const all = [
        ...dictionary,
        { type: 'protocol' as const, configLists: await offeredProtocols(app.db) },
        { type: 'mapEngineeringVersion' as const, configLists: versions },
      ]
      const wanted = type?.split(',').map((one) => one.trim())
      return wanted ? all.filter((one) => wanted.includes(one.type)) : all
    },
  })
}
