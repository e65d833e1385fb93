import { dictionaryApi } from '@iot/shared/contract/dictionary'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/serve/serve'
import { dictionary } from './options'

export function dictionaryRoutes(app: FastifyInstance) {
  serve(app, dictionaryApi, {
    config({ type }) {
      const wanted = type?.split(',').map((one) => one.trim())
      return wanted ? dictionary.filter((one) => wanted.includes(one.type)) : dictionary
    },
  })
}
