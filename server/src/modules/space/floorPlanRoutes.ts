import type { spaceSchemas } from '@iot/shared/contract/project/space.schema'
import type { FastifyInstance } from 'fastify'
import { createConflictRefusal, createRefusal } from '../../core/refusal'
import type { Handlers } from '../../core/http/serve'
import { getVisibleSpace, toAuditEntry } from './actions'
import { parseFloorPlan } from './floorPlan'
import { getPlanUrl } from './policy'
import { spaceQueries, type SpaceRow } from './queries'

/** Handler that sets or removes the floor plan of a floor. */
export const setPlan: Handlers<typeof spaceSchemas>['setPlan'] = (
  { id, version, picture, metres },
  context,
) =>
  context.write(spaceQueries, async (rows, recordAudit) => {
    const previousSpace = await getVisibleSpace(id, context, rows)
    if (previousSpace.type !== 'floor') throw createRefusal('只有楼层有平面图')
    const emptyPlan = { planFile: null, planHash: null, planWidth: null, planHeight: null }
    const plan =
      picture === undefined
        ? {}
        : picture === ''
          ? emptyPlan
          : parseFloorPlan(await rows.findFile(picture.slice(picture.lastIndexOf('/') + 1)))
    const row = await rows.update({ id, version, ...plan, metres }, context.user.username)
    if (!row) throw createConflictRefusal(await getVisibleSpace(id, context, rows))
    const withPlanUrl = (space: SpaceRow) => ({ ...space, plan: getPlanUrl(space) })
    recordAudit(toAuditEntry(row, { before: withPlanUrl(previousSpace), after: withPlanUrl(row) }))
    return row
  })

export function serveFloorPlans(app: FastifyInstance) {
  const queries = spaceQueries(app.db)
  // An `<img>` element sends no authorization header. The hash in the address is known only to users of the project.
  app.get<{ Params: { hash: string } }>(
    '/v1/floor-plan/:hash.svg',
    async ({ params: { hash } }, reply) => {
      const svg = await queries.findPlanSvg(hash)
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
