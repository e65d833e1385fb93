import { deviceApi, type MapDevice } from '@iot/shared/contract/device'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/serve/serve'
import { mustView } from './policy'
import { deviceQueries } from './queries'

export function deviceRoutes(app: FastifyInstance) {
  const queries = deviceQueries(app.db)

  serve(app, deviceApi, {
    actionModes: async () =>
      (await queries.productTypes()).flatMap(({ code, name: typeName, showOnHome, actions }) =>
        actions.map((action) => ({ productType: code, typeName, showOnHome, ...action })),
      ),
    async mapInfo({ projectId, floorId }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      const rows = await queries.placed(
        projectId === undefined ? context.projectScope : [projectId],
        floorId,
      )
      return {
        map: Object.fromEntries(
          rows.map((row) => [row.id, { ...row, spaceId: row.spaceId ?? '' } as MapDevice]),
        ),
      }
    },
  })
}
