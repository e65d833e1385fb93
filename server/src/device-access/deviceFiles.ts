import { and, eq, gt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { edgeHost, productConfig } from '../tables/deviceRecords'
import { digestOf } from './configFile'

const Address = z.object({ id: z.uuid(), sign: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * Serves files to devices over HTTP. Devices have no session: the URL is known to its device only and contains the
 * digest of the content.
 */
export function deviceFiles(app: FastifyInstance) {
  const { db } = app
  const contentsOf = async (id: string) => [
    ...(await db
      .select({ content: productConfig.content })
      .from(productConfig)
      .where(and(eq(productConfig.id, id), eq(productConfig.enabled, true)))),
    ...(await db
      .select({ content: edgeHost.content })
      .from(edgeHost)
      .where(and(eq(edgeHost.deviceId, id), gt(edgeHost.configVersion, 0)))),
  ]
  app.get('/v1/device/config/:id/:sign', async ({ params }, reply) => {
    const { data } = Address.safeParse(params)
    const all = data ? await contentsOf(data.id) : []
    const asked = all.find(({ content }) => digestOf(content) === data?.sign)
    if (!asked) return reply.callNotFound()
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'no-store')
      .send(asked.content)
  })
}
