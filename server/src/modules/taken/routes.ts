import { takenApi } from '@iot/shared/contract/taken'
import type { FastifyInstance } from 'fastify'
import { noRight, wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'

export function takenRoutes(app: FastifyInstance) {
  serve(app, takenApi, {
    async ask({ resource, field, value, within, withinValue, exceptId }, context) {
      const found = app.uniques.find(resource)
      if (!found) throw wrongField('resource', '没有这种记录')
      if (!context.can(found.permission))
        throw noRight({ ...takenApi.ask, permission: found.permission })
      if (value === '') return null
      return app.uniques.taken(app.db, found, field, {
        [field]: value,
        ...(within && { [within]: withinValue }),
        id: exceptId,
      })
    },
  })
}
