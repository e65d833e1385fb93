import type { FastifyInstance } from 'fastify'
import { authRoutes } from './modules/auth/routes'

/** In the order they are served; a module adds its line here. */
export const modules: ((app: FastifyInstance) => void | Promise<void>)[] = [authRoutes]
