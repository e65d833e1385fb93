import { uniqueCheckSchemas } from '@iot/shared/contract/thingModel/uniqueCheck.schema'
import { uniqueCheckApi } from '@iot/shared/contract/thingModel/uniqueCheck.api'
import type { FastifyInstance } from 'fastify'
import { createPermissionRefusal, createFieldRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'

export function uniqueCheckRoutes(app: FastifyInstance) {
  serve(app, uniqueCheckApi, uniqueCheckSchemas, {
    async ask({ resource, field, value, within, withinValue, exceptId }, context) {
      const uniqueResource = app.uniques.find(resource)
      if (!uniqueResource) throw createFieldRefusal('resource', '没有这种记录')
      if (!context.can(uniqueResource.permission))
        throw createPermissionRefusal({
          ...uniqueCheckApi.ask,
          permission: uniqueResource.permission,
        })
      if (value === '') return null
      return app.uniques.findConflict(app.db, uniqueResource, field, {
        [field]: value,
        ...(within && { [within]: withinValue }),
        id: exceptId,
      })
    },
  })
}
