import { and, eq, gt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { edgeHost, productConfig } from '../tables/deviceRecords'
import { digestOf } from './configFile'

const Address = z.object({ id: z.uuid(), sign: z.string().regex(/^[0-9a-f]{64}$/) })

/** What devices fetch over HTTP. They have no session: the address, which only they were told, holds the content's digest. */
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
