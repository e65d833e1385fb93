import { baseConfigApi } from '@iot/shared/contract/baseConfig'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { toBaseConfig } from '../platformSettings/policy'

export function baseConfigRoutes(app: FastifyInstance) {
  serve(app, baseConfigApi, {
    get: async () => toBaseConfig(await app.platformSettings.read()),
  })
}
