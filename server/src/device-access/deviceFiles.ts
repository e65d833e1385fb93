import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { productConfig } from '../tables/deviceRecords'

const Address = z.object({ id: z.uuid(), sign: z.string().regex(/^[0-9a-f]{64}$/) })

/** What devices fetch over HTTP. They have no session: the address, which only they were told, holds the content's digest. */
export function deviceFiles(app: FastifyInstance) {
  app.get('/v1/device/config/:id/:sign', async ({ params }, reply) => {
    const { data } = Address.safeParse(params)
    const [row] = data
      ? await app.db
          .select({ content: productConfig.content })
          .from(productConfig)
          .where(and(eq(productConfig.id, data.id), eq(productConfig.enabled, true)))
      : []
    const sign = row && createHash('sha256').update(row.content).digest('hex')
    if (!row || sign !== data?.sign) return reply.callNotFound()
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'no-store')
      .send(row.content)
  })
}
