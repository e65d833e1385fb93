import type {
  ControlRequest,
  ControlScope,
  ExceptScope,
  Preflight,
} from '@iot/shared/contract/control/control.schema'
import type { SceneAction } from '@iot/shared/contract/control/scene.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { findSettingFault } from '@iot/shared/contract/thingModel/thingValue'
import { createTree } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { createMissingRefusal, createRefusal, createFieldsRefusal } from '../../core/refusal'
import { createPropertyNamer } from '../category/policy'
import { getGroupScope } from '../deviceGroup/policy'
import { planningQueries, type PlannedDevice, type PlanningQueries } from './planningQueries'

/**
 * Reads the devices in any of the places of an action. A scene may name a device that has since been removed; such a
 * device is skipped silently.
 */
export async function findActionDevices(
  db: Db,
  projectId: number,
  { productType: type, scope }: Pick<SceneAction, 'productType' | 'scope'>,
): Promise<PlannedDevice[]> {
  const queries = planningQueries(db)
  const { isWholeProject, spaceIds, groupIds, deviceIds } = getScopePlaces(scope)
  if (isWholeProject) return queries.devices(projectId, { type })
  const groups = await Promise.all(groupIds.map((id) => getGroupScope(db, projectId, id)))
  const filters: Parameters<PlanningQueries['devices']>[1][] = [
    ...(spaceIds.length > 0
      ? [{ spaceIds: [...(await findSpacesWithin(queries, projectId, spaceIds))] }]
      : []),
    ...groups.map(({ isMember }) => ({ isMember })),
    ...(deviceIds.length > 0 ? [{ ids: deviceIds }] : []),
  ]
  const lists = filters.map((filter) => queries.devices(projectId, { ...filter, type }))
  return (await Promise.all(lists)).flat()
}

/**
 * Removes the excepted devices of a request from those of its area, and counts them by the place that excepts them.
 * @throws if an excepted place or device is missing, because the request would control what it wanted to keep
 */
export async function splitExcepted(
  db: Db,
  { projectId, scope }: { projectId: number; scope: ControlScope },
  areaDevices: PlannedDevice[],
): Promise<{ devices: PlannedDevice[]; keptPlaces: Preflight['keptPlaces'] }> {
  if (scope.kind !== 'except') return { devices: areaDevices, keptPlaces: [] }
  const places = await findExceptedPlaces(db, projectId, scope)
  const keptPlaces = places.map(({ name }) => ({ name, devices: 0 }))
  const devices = areaDevices.filter((candidate) => {
    const index = places.findIndex(({ contains }) => contains(candidate))
    if (index >= 0) keptPlaces[index]!.devices++
    return index < 0
  })
  return { devices, keptPlaces }
}

type ExceptedPlace = { name: string; contains: (device: PlannedDevice) => boolean }

async function findExceptedPlaces(
  db: Db,
  projectId: number,
  { within, spaceIds, deviceIds }: ExceptScope,
): Promise<ExceptedPlace[]> {
  const queries = planningQueries(db)
  const tree = createTree(await queries.spaces(projectId))
  if (!spaceIds.every((id) => tree.get(id))) throw createMissingRefusal('空间')
  const ids = [...new Set(deviceIds)]
  const devices = ids.length > 0 ? await queries.devices(projectId, { ids }) : []
  if (devices.length < ids.length) throw createMissingRefusal('设备')
  // The names of the places around the area are part of its own name.
  const outerPath = within.kind === 'space' ? tree.path(within.spaceId) : []
  const outerIds = new Set(outerPath.map(({ id }) => id))
  return [
    ...[...new Set(spaceIds)].map((id) => {
      const idsWithin = tree.within(id)
      const path = tree.path(id).filter((space) => !outerIds.has(space.id))
      return {
        name: (path.length > 0 ? path : tree.path(id)).map((space) => space.name).join(' '),
        contains: ({ spaceId }: PlannedDevice) => spaceId !== null && idsWithin.has(spaceId),
      }
    }),
    ...devices.map(({ id, name }) => ({
      name,
      contains: (device: PlannedDevice) => device.id === id,
    })),
  ]
}

export const getSpaceIds = (scope: Extract<ControlScope, { kind: 'space' | 'spaces' }>) =>
  scope.kind === 'space' ? [scope.spaceId] : [...new Set(scope.spaceIds)]

export async function findSpacesWithin(
  queries: PlanningQueries,
  projectId: number,
  spaceIds: string[],
) {
  if (spaceIds.length === 0) return new Set<string>()
  const tree = createTree(await queries.spaces(projectId))
  if (!spaceIds.every((id) => tree.get(id))) throw createMissingRefusal('空间')
  return new Set(spaceIds.flatMap((id) => [...tree.within(id)]))
}

/** Turns a space, group or project scope into a SQL condition on devices. */
export async function toDeviceFilter(
  db: Db,
  projectId: number,
  scope: Exclude<ControlScope, { kind: 'devices' | 'except' }>,
): Promise<Parameters<PlanningQueries['countStanding']>[1]> {
  if (scope.kind === 'space' || scope.kind === 'spaces')
    return {
      spaceIds: [...(await findSpacesWithin(planningQueries(db), projectId, getSpaceIds(scope)))],
    }
  if (scope.kind === 'group')
    return { isMember: (await getGroupScope(db, projectId, scope.groupId)).isMember }
  return {}
}

/**
 * Returns the devices that can take the values. If the request names devices, each must be able to;
 * in a space, a group or the project, the others are left out.
 * @throws if a named device, or every device of the area, cannot take the values
 */
export async function filterSettable<T extends { productId: string; name?: string }>(
  queries: PlanningQueries,
  { values, scope }: Extract<ControlRequest, { kind: 'set' }>,
  candidates: T[],
): Promise<T[]> {
  if (Object.keys(values).length === 0) throw createRefusal('请选择要设置的功能')
  const models = await queries.models()
  const faults = new Map<string, ReturnType<typeof findSettingFault>>()
  const getPropertyName = createPropertyNamer(models.values())
  for (const { productId } of candidates)
    if (!faults.has(productId))
      faults.set(productId, findSettingFault(models.get(productId)!, values, getPropertyName))
  const settable = candidates.filter(({ productId }) => !faults.get(productId))
  const firstUnsettable = candidates.find(({ productId }) => faults.get(productId))
  const fault = firstUnsettable && faults.get(firstUnsettable.productId)
  if (fault && scope.kind === 'devices') {
    const { why, part } = fault
    const message = `${firstUnsettable.name}：${why}`
    throw part ? createFieldsRefusal({ [part.path]: part.why }, message) : createRefusal(message)
  }
  if (fault && settable.length === 0)
    throw createRefusal(`所选范围内没有可以这样设置的设备：${fault.why}`)
  return settable
}
