import { standardCategoryApi } from '@iot/shared/contract/category'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/serve/serve'
import { standardCategories } from './standard'

export function categoryRoutes(app: FastifyInstance) {
  serve(app, standardCategoryApi, { list: () => standardCategories })
}
