import etag from '@fastify/etag'
import {
  dictionarySchemas,
  type DictionaryConfig,
} from '@iot/shared/contract/platform/dictionary.schema'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { listEnabledProtocols } from '../communicationProtocol/policy'
import { listOfferedVersions } from '../mapEngineering/policy'
import { dictionary } from './dictionary'

export async function dictionaryRoutes(app: FastifyInstance) {
  // A client with an unchanged copy receives 304 without a body.
  await app.register(etag, { weak: true })
  app.addHook('onRequest', async (_, reply) => {
    reply.header('cache-control', 'private, no-cache')
  })

  async function listDictionaries(): Promise<DictionaryConfig[]> {
    const versions = (await listOfferedVersions(app.db)).map(({ engineeringId, name }) => ({
      code: String(engineeringId),
      description: name,
    }))
    return [
      ...dictionary,
      { type: 'protocol', configLists: await listEnabledProtocols(app.db) },
      { type: 'mapEngineeringVersion', configLists: versions },
    ]
  }

  serve(app, dictionaryApi, dictionarySchemas, {
    async config({ type }) {
      const requestedTypes = type?.split(',').map((typeName) => typeName.trim())
      const allConfigs = await listDictionaries()
      return requestedTypes
        ? allConfigs.filter((config) => requestedTypes.includes(config.type))
        : allConfigs
    },
    list: listDictionaries,
  })
}
