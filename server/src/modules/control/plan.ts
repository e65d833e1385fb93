import type {
  ControlRequest,
  ControlScope,
  ExceptScope,
  Preflight,
} from '@iot/shared/contract/control/control.schema'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { SceneAction } from '@iot/shared/contract/control/scene.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import {
  getLightState,
  isLight,
  lightSwitchIdentifier,
  lightProductType,
} from '@iot/shared/contract/control/light'
import {
  describeRequestedSetting,
  findSettingFault,
  isConfirmed,
} from '@iot/shared/contract/thingModel/thingValue'
import { createTree } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { createMissingRefusal, createRefusal, createFieldsRefusal } from '../../core/refusal'
import { createPropertyNamer } from '../category/policy'
import { getGroupScope } from '../deviceGroup/policy'
import { readOverrides, type OpenOverride, type Overrides } from './overrides'
import { findSkipReason, type ControlPermission, type SkipReason } from './policy'
import { controlQueries, type TaskTarget } from './queries'

export type PlannedDevice = Awaited<
  ReturnType<ReturnType<typeof controlQueries>['devices']>
>[number]
export type Planned = {
  device: PlannedDevice
  target: Values
  skip?: SkipReason
  /** The manual override that holds the device, whether it is skipped or not. */
  override?: OpenOverride
}
export type Plan = {
  title: string
  target: TaskTarget
  planned: Planned[]
  /** The places and devices that the request excepts, with the number of devices that stay as they are. */
  keptPlaces: Preflight['keptPlaces']
}

/**
 * Resolves a control request to its devices, the values each is to be set to, and why some are skipped.
 * @param actionSorts sort numbers of the scene actions to plan; all actions if it is omitted
 * @throws if a named device, space, group or scene is missing, or if the values do not fit the product model
 */
export async function planRequest(
  db: Db,
  request: ControlRequest,
  permission: ControlPermission,
  actionSorts?: readonly number[],
): Promise<Plan> {
  if (request.kind === 'scene') return planScene(db, request, actionSorts)
  const queries = controlQueries(db)
  const { projectId } = request
  if (ignoresOverrides(request) && permission !== devicePermissions.control.permission)
    throw createRefusal('手动保持只能在控制单台设备时解除或越过')

  async function findDevicesInScope(scope: ControlScope, type?: string): Promise<PlannedDevice[]> {
    if (scope.kind === 'devices') {
      const ids = [...new Set(scope.deviceIds)]
      const devices = await queries.devices(projectId, { ids })
      if (devices.length < ids.length) throw createMissingRefusal('设备')
      return devices.filter(({ productType }) => productType === (type ?? productType))
    }
    const area = scope.kind === 'except' ? scope.within : scope
    return queries.devices(projectId, { ...(await toDeviceFilter(db, projectId, area)), type })
  }
  // Overrides are read here and not with the request, so that a delayed command decides when it runs.
  const overrides = await readOverrides(db, projectId)
  const planDevices = (devices: PlannedDevice[], values: Values): Planned[] =>
    devices.map((device) => {
      const override = overrides.find(device)
      return {
        device,
        target: values,
        override,
        skip: findSkipReason(device, permission, {
          includeProtected: request.includeProtected === true,
          isHeld: override !== undefined && !ignoresOverrides(request),
        }),
      }
    })

  if (request.kind === 'action') {
    const { type, action } = await findBulkAction(queries, request)
    const { devices, keptPlaces } = await splitExcepted(
      db,
      request,
      await findDevicesInScope(request.scope, request.productType),
    )
    const { fullName, ...place } = await nameScope(db, request, devices, keptPlaces)
    const actionName =
      (request.productType === lightProductType && lightVerbs.get(request.actionType)) ||
      `${type.name}${action.name}`
    return {
      title: `${type.name}${action.name} · ${fullName}`,
      target: { ...place, action: actionName, unit: getUnit(devices) },
      planned: planDevices(devices, { [action.identifier]: action.value }),
      keptPlaces,
    }
  }

  const { devices: settableDevices, keptPlaces } = await splitExcepted(
    db,
    request,
    await filterSettable(queries, request, await findDevicesInScope(request.scope)),
  )
  const { fullName, ...place } = await nameScope(db, request, settableDevices, keptPlaces)
  const setting = await formatSettingTitle(queries, request.values, settableDevices)
  return {
    title: `${setting} · ${fullName}`,
    target: {
      ...place,
      action: setting === '打开' ? '开' : setting === '关闭' ? '关' : setting,
      unit: getUnit(settableDevices),
    },
    planned: planDevices(settableDevices, request.values),
    keptPlaces,
  }
}

async function planScene(
  db: Db,
  { projectId, sceneId, trial }: Extract<ControlRequest, { kind: 'scene' }>,
  actionSorts?: readonly number[],
): Promise<Plan> {
  const queries = controlQueries(db)
  const scene = await queries.scene(projectId, sceneId)
  assertSceneRunnable(scene, trial)
  const actions = await queries.sceneActions(projectId, scene.id)
  const planned = await planActions(
    db,
    projectId,
    actions.filter(({ sort }) => !actionSorts || actionSorts.includes(sort)),
  )
  const titlePrefix = trial ? '试运行' : '场景'
  return {
    title: `${titlePrefix} · ${scene.name}`,
    target: {
      place: scene.name,
      parentPlace: '',
      action: trial ? '试运行' : '执行场景',
      unit: getUnit(planned.map(({ device }) => device)),
    },
    planned,
    keptPlaces: [],
  }
}

/**
 * Resolves the actions of a scene, stored or not, to devices and values; a later action overrides an earlier one on the
 * same device.
 */
export async function planActions(
  db: Db,
  projectId: number,
  actions: readonly Pick<SceneAction, 'productType' | 'scope' | 'values'>[],
): Promise<Planned[]> {
  const overrides = await readOverrides(db, projectId)
  const targets = new Map<string, Planned>()
  for (const action of actions)
    for (const device of await findActionDevices(db, projectId, action)) {
      const override = overrides.find(device)
      targets.set(device.id, {
        device,
        target: { ...targets.get(device.id)?.target, ...action.values },
        override,
        skip: findSkipReason(device, devicePermissions.scene.permission, {
          isHeld: override !== undefined,
        }),
      })
    }
  return [...targets.values()]
}

/**
 * Reads the devices in any of the places of an action. A scene may name a device that has since been removed; such a
 * device is skipped silently.
 */
async function findActionDevices(
  db: Db,
  projectId: number,
  { productType: type, scope }: Pick<SceneAction, 'productType' | 'scope'>,
): Promise<PlannedDevice[]> {
  const queries = controlQueries(db)
  const { isWholeProject, spaceIds, groupIds, deviceIds } = getScopePlaces(scope)
  if (isWholeProject) return queries.devices(projectId, { type })
  const groups = await Promise.all(groupIds.map((id) => getGroupScope(db, projectId, id)))
  const filters: Parameters<Queries['devices']>[1][] = [
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
async function splitExcepted(
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
  const queries = controlQueries(db)
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

const lightVerbs = new Map([
  ['all_on', '开'],
  ['all_off', '关'],
])
const isEveryLight = (devices: Pick<PlannedDevice, 'productType'>[]) => devices.every(isLight)
/** Lamps are counted as 盏, and devices of several or other types as 台. */
export const getUnit = (devices: Pick<PlannedDevice, 'productType'>[]) =>
  isEveryLight(devices) ? '盏' : '台'

/** Names a scope in full for the title of its task, and as a place with the path of the places around it. */
async function nameScope(
  db: Db,
  { projectId, scope }: { projectId: number; scope: ControlScope },
  devices: PlannedDevice[],
  keptPlaces: Preflight['keptPlaces'],
): Promise<Pick<TaskTarget, 'place' | 'parentPlace'> & { fullName: string }> {
  const queries = controlQueries(db)
  const formatPath = (spaces: { name: string }[]) => spaces.map(({ name }) => name).join(' ')
  const createPlainName = (fullName: string) => ({ fullName, place: fullName, parentPlace: '' })
  if (scope.kind === 'except') {
    const area = await nameScope(db, { projectId, scope: scope.within }, devices, [])
    const names = keptPlaces.map(({ name }) => name)
    const rest = names.length > maxNamedSpaces ? ` 等 ${names.length} 处` : ''
    const exception = `（除${names.slice(0, maxNamedSpaces).join('、')}${rest}）`
    return {
      ...area,
      fullName: area.fullName + exception,
      place: area.place + exception,
    }
  }
  if (scope.kind === 'project') return createPlainName('整个项目')
  if (scope.kind === 'group')
    return createPlainName((await getGroupScope(db, projectId, scope.groupId)).name)
  if (scope.kind === 'devices' && devices.length !== 1) {
    const areLights = isEveryLight(devices)
    return {
      fullName: areLights ? `选中的 ${devices.length} 盏` : `选中的 ${devices.length} 台设备`,
      place: areLights ? '选中的灯' : '选中的设备',
      parentPlace: '',
    }
  }
  const tree = createTree(await queries.spaces(projectId))
  if (scope.kind === 'devices') {
    const { name, spaceId } = devices[0]!
    return { fullName: name, place: name, parentPlace: formatPath(tree.path(spaceId)) }
  }
  const ids = getSpaceIds(scope)
  const [firstId] = ids
  if (ids.length === 1) {
    const path = tree.path(firstId)
    return {
      fullName: formatPath(path),
      place: path.at(-1)?.name ?? '',
      parentPlace: formatPath(path.slice(0, -1)),
    }
  }
  const names = ids.slice(0, maxNamedSpaces).map((id) => formatPath(tree.path(id)))
  const rest = ids.length > names.length ? ` 等 ${ids.length} 处` : ''
  return createPlainName(names.join('、') + rest)
}

/** A scene never includes protected circuits, because it may run with no person present. */
const shouldIncludeProtected = (request: ControlRequest) =>
  request.kind !== 'scene' && request.includeProtected === true

/** Only a command to a single device may act on it although it is held. */
const ignoresOverrides = (request: ControlRequest) =>
  request.kind === 'set' && request.onOverride !== undefined

/** A disabled scene may run only as a trial. */
function assertSceneRunnable(
  scene: SceneRow | undefined,
  isTrial: boolean | undefined,
): asserts scene is SceneRow {
  if (!scene) throw createMissingRefusal('场景')
  if (scene.status === 'disabled' && !isTrial) throw createRefusal(`场景“${scene.name}”已禁用`)
}

type Queries = ReturnType<typeof controlQueries>
type SceneRow = NonNullable<Awaited<ReturnType<Queries['scene']>>>

/** Returns `打开` or `关闭`, or a text such as `亮度调到 30%` built with the product model of the first device. */
async function formatSettingTitle(queries: Queries, values: Values, [first]: PlannedDevice[]) {
  const { [lightSwitchIdentifier]: switchValue, ...otherValues } = values
  if (switchValue !== undefined && Object.keys(otherValues).length === 0)
    return switchValue === 1 ? '打开' : '关闭'
  return describeRequestedSetting(first && (await queries.model(first.productId)), values).slice(
    0,
    100,
  )
}

/** A title lists at most this many spaces; the rest are counted. */
const maxNamedSpaces = 3
const getSpaceIds = (scope: Extract<ControlScope, { kind: 'space' | 'spaces' }>) =>
  scope.kind === 'space' ? [scope.spaceId] : [...new Set(scope.spaceIds)]

async function findSpacesWithin(queries: Queries, projectId: number, spaceIds: string[]) {
  if (spaceIds.length === 0) return new Set<string>()
  const tree = createTree(await queries.spaces(projectId))
  if (!spaceIds.every((id) => tree.get(id))) throw createMissingRefusal('空间')
  return new Set(spaceIds.flatMap((id) => [...tree.within(id)]))
}

/** Turns a space, group or project scope into a SQL condition on devices. */
async function toDeviceFilter(
  db: Db,
  projectId: number,
  scope: Exclude<ControlScope, { kind: 'devices' | 'except' }>,
): Promise<Parameters<Queries['countStanding']>[1]> {
  if (scope.kind === 'space' || scope.kind === 'spaces')
    return {
      spaceIds: [...(await findSpacesWithin(controlQueries(db), projectId, getSpaceIds(scope)))],
    }
  if (scope.kind === 'group')
    return { isMember: (await getGroupScope(db, projectId, scope.groupId)).isMember }
  return {}
}

async function findBulkAction(
  queries: Queries,
  { productType, actionType }: Extract<ControlRequest, { kind: 'action' }>,
) {
  const type = await queries.productType(productType)
  const action = type?.actions.find((one) => one.actionType === actionType)
  if (!type || !action) throw createMissingRefusal('批量动作')
  return { type, action }
}

/**
 * Counts what a request would do. The database counts the devices of a space or project, so that no device rows are
 * read.
 */
export async function preflightRequest(
  db: Db,
  request: ControlRequest,
  permission: ControlPermission,
): Promise<Preflight> {
  const queries = controlQueries(db)
  const { projectId } = request
  const summarizeGroups = (groups: StandingGroup[]) =>
    sumPreflight(
      groups.map(({ devices, already, dark, isHeld, ...one }) => ({
        productType: one.productType,
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
    return summarizeGroups(await countSceneDevices(db, request, overrides))
  const { scope } = request
  if (scope.kind === 'devices' || scope.kind === 'except') {
    const { planned, keptPlaces } = await planRequest(db, request, permission)
    return { ...summarizePlan(planned, isAdjustment(request)), keptPlaces }
  }
  const area = await toDeviceFilter(db, projectId, scope)
  if (request.kind === 'action') {
    const { action } = await findBulkAction(queries, request)
    const type = request.productType
    const target = { [action.identifier]: action.value }
    return summarizeGroups(
      await countArea(queries, overrides, projectId, { ...area, type }, target),
    )
  }
  const groups = await countArea(queries, overrides, projectId, area, request.values)
  return summarizeGroups(await filterSettable(queries, request, groups))
}

type StandingGroup = Awaited<ReturnType<Queries['countStanding']>>[number] & { isHeld: boolean }

/** Counts the devices of an area by state, those that a manual override holds apart. */
async function countArea(
  queries: Queries,
  overrides: Overrides,
  projectId: number,
  area: Parameters<Queries['countStanding']>[1],
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

/**
 * Returns the devices that can take the values. If the request names devices, each must be able to;
 * in a space, a group or the project, the others are left out.
 * @throws if a named device, or every device of the area, cannot take the values
 */
async function filterSettable<T extends { productId: string; name?: string }>(
  queries: Queries,
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

/** Counts the devices of a scene by state; a device that several actions reach is counted once. */
async function countSceneDevices(
  db: Db,
  { projectId, sceneId, trial }: Extract<ControlRequest, { kind: 'scene' }>,
  overrides: Overrides,
): Promise<StandingGroup[]> {
  const queries = controlQueries(db)
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

/** @param countsDark counts the lamps that are off */
export const summarizePlan = (planned: Planned[], countsDark = false) =>
  sumPreflight(
    planned.map((one) => ({
      productType: one.device.productType,
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
    devices: number
    already: number
    dark: number
    skip?: SkipReason
  }[],
): Preflight {
  const count = (skip?: SkipReason) =>
    groups.filter((one) => one.skip === skip).reduce((sum, { devices }) => sum + devices, 0)
  return {
    affected: count(undefined),
    already: groups.reduce((sum, { already, skip }) => sum + (skip ? 0 : already), 0),
    skipped: {
      held: count('held'),
      protected: count('protected'),
      offline: count('offline'),
      disabled: count('disabled'),
    },
    dark: groups.filter(isLight).reduce((sum, { dark, skip }) => sum + (skip ? 0 : dark), 0),
    keptPlaces: [],
    unit: getUnit(groups),
  }
}
