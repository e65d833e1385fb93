import type { FastifyInstance } from 'fastify'
import { recordRoutes } from './recordRoutes'
import { ruleRoutes } from './ruleRoutes'

export function registrationModuleRoutes(app: FastifyInstance) {
  ruleRoutes(app)
  recordRoutes(app)
}
