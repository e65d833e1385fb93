import { projectApi } from '@iot/shared/contract/project'
import type { FastifyInstance } from 'fastify'
import { missing } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { spaceQueries } from './queries'

export function spaceRoutes(app: FastifyInstance) {
  const queries = spaceQueries(app.db)
  const { spaces } = projectApi

  serve(
    app,
    { spaces },
    {
      async spaces({ projectId }, { seesProject }) {
        if (!seesProject(projectId)) throw missing('项目')
        const rows = await queries.ofProject(projectId)
        return rows.map((row) => ({
          ...row,
          plan: row.planHash && `/v1/floor-plan/${row.planHash}.svg`,
        }))
      },
    },
  )

  // A picture element sends no header; the address itself is what only those learn who may see the project.
  app.get<{ Params: { hash: string } }>(
    '/v1/floor-plan/:hash.svg',
    async ({ params: { hash } }, reply) => {
      const svg = await queries.plan(hash)
      if (svg === undefined) return reply.code(404).type('text/plain').send('not found')
      return reply
        .type('image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .header('x-content-type-options', 'nosniff')
        .send(svg)
    },
  )
}
