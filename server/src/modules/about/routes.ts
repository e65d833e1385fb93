import { aboutApi } from '@iot/shared/contract/about'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { productVersion, readBuildInfo } from '../../core/version'

export function aboutRoutes(app: FastifyInstance) {
  serve(app, aboutApi, {
    read: () => ({ version: productVersion, build: readBuildInfo() }),
  })
}
