import type { ControlRequest, Preflight } from '@iot/shared/contract/control/control.schema'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { getLightState, isLight, lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { isConfirmed } from '@iot/shared/contract/thingModel/thingValue'
import type { Db } from '../../core/db/db'
import { readOverrides, type Overrides } from './overrides'
import { findSkipReason, type ControlPermission, type SkipReason } from './policy'
import { planningQueries, type PlanningQueries } from './planningQueries'
import { planRequest, findBulkAction, assertSceneRunnable, type Planned } from './plan'
import { toDeviceFilter, filterSettable, findSpacesWithin, findActionDevices } from './scopeDevices'
import { getUnit } from './scopeName'

/** A scene never includes protected circuits, because it may run with no person present. */
const shouldIncludeProtected = (request: ControlRequest) =>
  request.kind !== 'scene' && request.includeProtected === true

/**
 * Counts what a request would do. The database counts the devices of a space or project, so that no device rows are
 * read.
 */
export async function preflightRequest(
  db: Db,
  request: ControlRequest,
  permission: ControlPermission,
): Promise<Preflight> {
  const queries = planningQueries(db)
  const { projectId } = request
  const summarizeGroups = (groups: StandingGroup[], deprecatingIds: ReadonlySet<string>) =>
    sumPreflight(
      groups.map(({ devices, already, dark, isHeld, ...one }) => ({
        productType: one.productType,
        isDeprecated: deprecatingIds.has(one.productId),
        devices,
        already,
        dark: isAdjustment(request) ? dark : 0,
        skip: findSkipReason(one, permission, {
          includeProtected: shouldIncludeProtected(request),
          isHeld,
        }),
      })),
    )

  const overrides = await readOverrides(db, projectId)
  if (request.kind === 'scene')
    return summarizeGroups(await countSceneDevices(db, request, overrides), new Set())
  const { scope } = request
  const target =
    request.kind === 'action'
      ? await findBulkAction(queries, request).then(({ action }) => ({
          [action.identifier]: action.value,
        }))
      : request.values
  const deprecatingIds = await queries.findDeprecating(Object.keys(target))
  if (scope.kind === 'devices' || scope.kind === 'except') {
    const { planned, keptPlaces } = await planRequest(db, request, permission)
    return { ...summarizePlan(planned, isAdjustment(request), deprecatingIds), keptPlaces }
  }
  const area = await toDeviceFilter(db, projectId, scope)
  if (request.kind === 'action') {
    const type = request.productType
    return summarizeGroups(
      await countArea(queries, overrides, projectId, { ...area, type }, target),
      deprecatingIds,
    )
  }
  const groups = await countArea(queries, overrides, projectId, area, target)
  return summarizeGroups(await filterSettable(queries, request, groups), deprecatingIds)
}

type StandingGroup = Awaited<ReturnType<PlanningQueries['countStanding']>>[number] & {
  isHeld: boolean
}

/** Counts the devices of an area by state, those that a manual override holds apart. */
async function countArea(
  queries: PlanningQueries,
  overrides: Overrides,
  projectId: number,
  area: Parameters<PlanningQueries['countStanding']>[1],
  target?: Values,
): Promise<StandingGroup[]> {
  const { deviceIds, holdsSpace } = overrides
  const exceptIds = deviceIds.length > 0 ? deviceIds : undefined
  const [freeGroups, heldGroups] = await Promise.all([
    queries.countStanding(projectId, { ...area, exceptIds }, target),
    exceptIds ? queries.countStanding(projectId, { ...area, ids: deviceIds }, target) : [],
  ])
  return [
    ...freeGroups.map((group) => ({ ...group, isHeld: holdsSpace(group.spaceId) })),
    ...heldGroups.map((group) => ({ ...group, isHeld: true })),
  ]
}

/** Counts the devices of a scene by state; a device that several actions reach is counted once. */
async function countSceneDevices(
  db: Db,
  { projectId, sceneId, trial }: Extract<ControlRequest, { kind: 'scene' }>,
  overrides: Overrides,
): Promise<StandingGroup[]> {
  const queries = planningQueries(db)
  assertSceneRunnable(await queries.scene(projectId, sceneId), trial)
  const actions = await queries.sceneActions(projectId, sceneId)
  const areas = await Promise.all(
    actions.map(async ({ scope, productType }) => {
      const { isWholeProject, spaceIds } = getScopePlaces(scope)
      const spaces = await findSpacesWithin(queries, projectId, spaceIds)
      return { productType, isWholeProject, spaces }
    }),
  )
  const isInside = ({ productType, spaceId }: Pick<StandingGroup, 'productType' | 'spaceId'>) =>
    areas.some(
      (area) =>
        area.productType === productType && (area.isWholeProject || area.spaces.has(spaceId ?? '')),
    )
  // Group membership cannot be derived from product type and space, so the group's devices are read like named ones.
  const individualDevices = await Promise.all(
    actions.map(({ scope, productType }) => {
      const { groupIds, deviceIds } = getScopePlaces(scope)
      const scopeOfOthers = { kind: 'places' as const, spaceIds: [], groupIds, deviceIds }
      return findActionDevices(db, projectId, { productType, scope: scopeOfOthers })
    }),
  )
  const otherDevices = new Map(individualDevices.flat().map((device) => [device.id, device]))
  return [
    ...(await countArea(queries, overrides, projectId, {})).filter(isInside),
    ...[...otherDevices.values()]
      .filter((device) => !isInside(device))
      .map((device) => ({
        ...device,
        devices: 1,
        already: 0,
        dark: 0,
        isHeld: overrides.find(device) !== undefined,
      })),
  ]
}

/** The request changes lamps without switching them, so that those that are off stay off. */
const isAdjustment = (request: ControlRequest) =>
  request.kind === 'set' && !(lightSwitchIdentifier in request.values)

/**
 * @param countsDark counts the lamps that are off
 * @param deprecatingIds products that mark the function as deprecated
 */
export const summarizePlan = (
  planned: Planned[],
  countsDark = false,
  deprecatingIds: ReadonlySet<string> = new Set(),
) =>
  sumPreflight(
    planned.map((one) => ({
      productType: one.device.productType,
      isDeprecated: deprecatingIds.has(one.device.productId),
      devices: 1,
      already: hasTargetValues(one) ? 1 : 0,
      dark: countsDark && getLightState(one.device) === 'off' ? 1 : 0,
      skip: one.skip,
    })),
  )

export const hasTargetValues = ({ device: { reported, stale }, target }: Planned) =>
  Object.entries(target).every(
    ([identifier, value]) => isConfirmed(value, reported[identifier]) && !(identifier in stale),
  )

function sumPreflight(
  groups: {
    productType: string
    isDeprecated: boolean
    devices: number
    already: number
    dark: number
    skip?: SkipReason
  }[],
): Preflight {
  const count = (skip?: SkipReason) =>
    groups.filter((one) => one.skip === skip).reduce((sum, { devices }) => sum + devices, 0)
  const inactive = count('inactive')
  const deprecated = groups.reduce(
    (sum, { isDeprecated, devices, skip }) => sum + (isDeprecated && !skip ? devices : 0),
    0,
  )
  return {
    ...(deprecated > 0 && { deprecated }),
    affected: count(undefined),
    already: groups.reduce((sum, { already, skip }) => sum + (skip ? 0 : already), 0),
    skipped: {
      held: count('held'),
      protected: count('protected'),
      offline: count('offline'),
      disabled: count('disabled'),
      ...(inactive > 0 && { inactive }),
    },
    dark: groups.filter(isLight).reduce((sum, { dark, skip }) => sum + (skip ? 0 : dark), 0),
    keptPlaces: [],
    unit: getUnit(groups),
  }
}
