import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import { isLight } from '@iot/shared/contract/light'
import { maxOverrideDays } from '@iot/shared/contract/manualOverride'
import {
  ManualOverrideDraft,
  manualOverrideSchemas,
  type ManualOverride,
  type OverrideScope,
} from '@iot/shared/contract/manualOverride.schema'
import { manualOverrideApi } from '@iot/shared/contract/manualOverride.api'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { createFieldRefusal, createMissingRefusal, createRefusal } from '../../core/refusal'
import { assertCanView } from '../device/policy/scope'
import { overrideQueries, readOverrides, type OpenOverride } from './overrides'
import { assertCanControl } from './policy'
import { controlQueries } from './queries'

const describeOverrideChange = createChangeDescriber(
  '手动保持',
  ManualOverrideDraft.pick({ until: true, reason: true }),
)

/** Operators hold lamps, rooms and floors for a time, so that scenes and bulk commands skip them. */
export async function overrideRoutes(app: FastifyInstance) {
  serve(app, manualOverrideApi, manualOverrideSchemas, {
    async list({ projectId }, context) {
      assertCanView(context, projectId)
      return listOverrides(app.db, projectId)
    },
    async create(draft, context) {
      const { projectId, scope, until, reason } = draft
      assertCanHold(context, projectId, scope)
      const { place } = await nameScope(app.db, projectId, scope)
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

type HeldScope = Pick<OpenOverride, 'projectId' | 'spaceId' | 'deviceIds'>
const toScope = ({ spaceId, deviceIds }: HeldScope): OverrideScope =>
  spaceId ? { kind: 'space', spaceId } : { kind: 'devices', deviceIds }

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
  const { place } = await nameScope(db, row.projectId, toScope(row), true)
  await context.write(overrideQueries, async (rows, recordChange) => {
    if (!(await rows.end(row.id, context.user.username))) throw createRefusal('手动保持已经解除')
    const { until, reason } = row
    recordChange(describeOverrideChange({ id: row.id, name: place }, { before: { until, reason } }))
  })
}

/**
 * Names the held space or device with the path of the spaces around it.
 * @param allowsMissing a space or device that has been removed since is named so
 * @throws if a space or device is missing
 */
async function nameScope(
  db: Db,
  projectId: number,
  scope: OverrideScope,
  allowsMissing = false,
): Promise<Pick<ManualOverride, 'place' | 'parentPlace' | 'devices' | 'unit'>> {
  const queries = controlQueries(db)
  const tree = createTree(await queries.spaces(projectId))
  const formatPath = (spaces: { name: string }[]) => spaces.map(({ name }) => name).join(' ')
  if (scope.kind === 'space') {
    const path = tree.path(scope.spaceId)
    if (path.length === 0 && !allowsMissing) throw createMissingRefusal('空间')
    const spaceIds = [...tree.within(scope.spaceId)]
    const groups = await queries.countStanding(projectId, { spaceIds })
    const lights = groups.filter(isLight)
    const countedGroups = lights.length > 0 ? lights : groups
    return {
      place: path.at(-1)?.name ?? '已删除的空间',
      parentPlace: formatPath(path.slice(0, -1)),
      devices: countedGroups.reduce((sum, { devices }) => sum + devices, 0),
      unit: lights.length > 0 ? '盏' : '台',
    }
  }
  const ids = [...new Set(scope.deviceIds)]
  const devices = await queries.devices(projectId, { ids })
  if (devices.length < ids.length && !allowsMissing) throw createMissingRefusal('设备')
  const unit = devices.every(isLight) ? '盏' : '台'
  const [first] = devices
  if (ids.length > 1)
    return {
      place: unit === '盏' ? `${devices.length} 盏灯` : `${devices.length} 台设备`,
      parentPlace: '',
      devices: devices.length,
      unit,
    }
  return {
    place: first?.name ?? '已删除的设备',
    parentPlace: formatPath(tree.path(first?.spaceId)),
    devices: devices.length,
    unit,
  }
}

async function listOverrides(db: Db, projectId: number): Promise<ManualOverride[]> {
  const { overrides } = await readOverrides(db, projectId)
  return Promise.all(
    overrides.map(async ({ text: _, timeZone: __, spaceId, ...override }) => ({
      ...override,
      ...(await nameScope(db, projectId, toScope({ ...override, spaceId }), true)),
    })),
  )
}
