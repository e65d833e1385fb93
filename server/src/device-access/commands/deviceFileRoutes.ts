import { and, eq, gt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { edgeHost, productConfig } from '../../tables/deviceRecords'
import { computeDigest } from './configFile'

const ConfigFileParams = z.object({ id: z.uuid(), sign: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * Serves files to devices over HTTP. Devices have no session: the URL is known to its device only and contains the
 * digest of the content.
 */
export function deviceFileRoutes(app: FastifyInstance) {
  const { db } = app
  const findContents = async (id: string) => [
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
    const { data } = ConfigFileParams.safeParse(params)
    const candidates = data ? await findContents(data.id) : []
    const matchingFile = candidates.find(({ content }) => computeDigest(content) === data?.sign)
    if (!matchingFile) return reply.callNotFound()
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'no-store')
      .send(matchingFile.content)
  })
}
