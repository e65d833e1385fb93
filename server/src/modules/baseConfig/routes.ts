import { baseConfigSchemas } from '@iot/shared/contract/platform/baseConfig.schema'
import { baseConfigApi } from '@iot/shared/contract/platform/baseConfig.api'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { toBaseConfig } from '../platformSettings/policy'

export function baseConfigRoutes(app: FastifyInstance) {
  serve(app, baseConfigApi, baseConfigSchemas, {
    get: async () => toBaseConfig(await app.platformSettings.read()),
  })
}
