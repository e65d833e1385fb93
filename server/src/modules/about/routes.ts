import { aboutSchemas } from '@iot/shared/contract/platform/about.schema'
import { aboutApi } from '@iot/shared/contract/platform/about.api'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { productVersion, readBuildInfo } from '../../core/version'

export function aboutRoutes(app: FastifyInstance) {
  serve(app, aboutApi, aboutSchemas, {
    read: () => ({ version: productVersion, build: readBuildInfo() }),
  })
}
