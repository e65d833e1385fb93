import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { maxOverrideDays } from '@iot/shared/contract/control/manualOverride'
import {
  ManualOverrideDraft,
  manualOverrideSchemas,
  type OverrideScope,
} from '@iot/shared/contract/control/manualOverride.schema'
import { manualOverrideApi } from '@iot/shared/contract/control/manualOverride.api'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { createFieldRefusal, createMissingRefusal, createRefusal } from '../../core/refusal'
import { assertCanView } from '../device/policy/scope'
import { listOverrides, nameHeldScope, toScope, type HeldScope } from './overridePlaces'
import { overrideQueries, type OpenOverride } from './overrides'
import { assertCanControl } from './policy'

const describeOverrideChange = createChangeDescriber(
  '手动保持',
  ManualOverrideDraft.pick({ until: true, reason: true }),
)

/** Operators hold lamps, rooms and floors for a time, so that scenes and bulk commands skip them. */
export async function overrideRoutes(app: FastifyInstance) {
  serve(app, manualOverrideApi, manualOverrideSchemas, {
    async list({ projectId, spaceId }, context) {
      assertCanView(context, projectId)
      return listOverrides(app.db, projectId, spaceId)
    },
    async create(draft, context) {
      const { projectId, scope, until, reason } = draft
      assertCanHold(context, projectId, scope)
      const { place } = await nameHeldScope(app.db, projectId, scope)
      return context.write(overrideQueries, async (rows, recordChange) => {
        if (!(await rows.isWithin(until, maxOverrideDays)))
          throw createFieldRefusal('until', `结束时间须晚于现在，最长 ${maxOverrideDays} 天`)
        const id = await rows.insert({
          projectId,
          spaceId: scope.kind === 'space' ? scope.spaceId : null,
          deviceIds: scope.kind === 'devices' ? [...new Set(scope.deviceIds)] : [],
          until,
          reason,
          createBy: context.user.username,
        })
        recordChange(describeOverrideChange({ id, name: place }, { after: { until, reason } }))
        return null
      })
    },
    async end({ id }, context) {
      const row = await overrideQueries(app.db).find(id)
      if (!row || !context.seesProject(row.projectId)) throw createMissingRefusal('手动保持')
      await endOverride(app.db, row, context)
      return null
    },
  })
}

/** A space and several devices need the permission for bulk commands, which the override stops. */
const assertCanHold = (context: Context, projectId: number, scope: OverrideScope) =>
  assertCanControl(
    context,
    projectId,
    scope.kind === 'devices' && scope.deviceIds.length === 1
      ? devicePermissions.control.permission
      : devicePermissions.bulkControl.permission,
  )

/**
 * Ends an override in the name of the user of a request.
 * @throws Refusal if the user may not control all of its devices, or if it has ended already
 */
export async function endOverride(
  db: Db,
  row: HeldScope & Pick<OpenOverride, 'id' | 'until' | 'reason'>,
  context: Context,
) {
  assertCanHold(context, row.projectId, toScope(row))
  const { place } = await nameHeldScope(db, row.projectId, toScope(row), true)
  await context.write(overrideQueries, async (rows, recordChange) => {
    if (!(await rows.end(row.id, context.user.username))) throw createRefusal('手动保持已经解除')
    const { until, reason } = row
    recordChange(describeOverrideChange({ id: row.id, name: place }, { before: { until, reason } }))
  })
}
