import type { ControlRequest, ControlScope, Preflight } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import { lightSwitch, lightType } from '@iot/shared/contract/light'
import { faultOfSetting, isAnswered, settingText } from '@iot/shared/contract/thingValue'
import { treeOf } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { missing, refused, wrongFields } from '../../core/refusal'
import { propertyNames } from '../category/policy'
import { groupAsScope } from '../deviceGroup/policy'
import { skips, type ControlPermission, type Skip } from './policy'
import { controlQueries } from './queries'

export type PlannedDevice = Awaited<
  ReturnType<ReturnType<typeof controlQueries>['devices']>
>[number]
export type Planned = { device: PlannedDevice; target: Values; skip?: Skip }
export type Plan = { title: string; planned: Planned[] }

/**
 * Resolves a control request to its devices, the values each is to be set to, and why some are skipped.
 * @param only sort numbers of the scene actions to plan; all actions if it is omitted
 * @throws if a named device, space, group or scene is missing, or if the values do not fit the product model
 */
export async function planRequest(
  db: Db,
  request: ControlRequest,
  permission: ControlPermission,
  only?: readonly number[],
): Promise<Plan> {
  const queries = controlQueries(db)
  const { projectId } = request

  async function inScope(scope: ControlScope, type?: string): Promise<PlannedDevice[]> {
    if (scope.kind === 'devices') {
      const ids = [...new Set(scope.deviceIds)]
      const devices = await queries.devices(projectId, { ids })
      if (devices.length < ids.length) throw missing('设备')
      return devices.filter(({ productType }) => productType === (type ?? productType))
    }
    return queries.devices(projectId, { ...(await areaOf(db, projectId, scope)), type })
  }
  const nameOf = async (scope: ControlScope, devices: PlannedDevice[]) => {
    if (scope.kind === 'project') return '整个项目'
    if (scope.kind === 'space' || scope.kind === 'spaces') {
      const tree = treeOf(await queries.spaces(projectId))
      const ids = spacesOf(scope)
      const names = ids.slice(0, namedSpaces).map((id) => {
        const path = tree.path(id)
        return path.map(({ name }) => name).join(' ')
      })
      return names.join('、') + (ids.length > names.length ? ` 等 ${ids.length} 处` : '')
    }
    if (scope.kind === 'group') return (await groupAsScope(db, projectId, scope.groupId)).name
    if (devices.length === 1) return devices[0]!.name
    const areLights = devices.every(({ productType }) => productType === lightType)
    return areLights ? `选中的 ${devices.length} 盏` : `选中的 ${devices.length} 台设备`
  }
  const meantToo = meansProtected(request)
  const planned = (devices: PlannedDevice[], values: Values): Planned[] =>
    devices.map((device) => ({ device, target: values, skip: skips(device, permission, meantToo) }))

  if (request.kind === 'action') {
    const { type, action } = await bulkAction(queries, request)
    const devices = await inScope(request.scope, request.productType)
    return {
      title: `${type.name}${action.name} · ${await nameOf(request.scope, devices)}`,
      planned: planned(devices, { [action.identifier]: action.value }),
    }
  }

  if (request.kind === 'set') {
    const devices = await inScope(request.scope)
    const able = await whoCan(queries, request, devices)
    return {
      title: `${await settingTitle(queries, request.values, able)} · ${await nameOf(request.scope, able)}`,
      planned: planned(able, request.values),
    }
  }

  const scene = await queries.scene(projectId, request.sceneId)
  mustBeOn(scene, request.trial)
  const targets = new Map<string, Planned>()
  for (const action of await queries.sceneActions(projectId, scene.id)) {
    if (only && !only.includes(action.sort)) continue
    const { scope, productType: type } = action
    // A scene may name a device that has since been removed; such a device is skipped silently.
    const devices =
      scope.kind === 'devices'
        ? await queries.devices(projectId, { ids: scope.deviceIds, type })
        : await inScope(scope, type)
    for (const one of planned(devices, action.values)) {
      targets.set(one.device.id, {
        ...one,
        target: { ...targets.get(one.device.id)?.target, ...one.target },
      })
    }
  }
  const word = request.trial ? '试运行' : '场景'
  return { title: `${word} · ${scene.name}`, planned: [...targets.values()] }
}

/** A scene never includes protected circuits, because it may run with no person present. */
const meansProtected = (request: ControlRequest) =>
  request.kind !== 'scene' && request.includeProtected === true

/** A disabled scene may run only as a trial. */
function mustBeOn(
  scene: SceneRow | undefined,
  isTrial: boolean | undefined,
): asserts scene is SceneRow {
  if (!scene) throw missing('场景')
  if (scene.status === 'disabled' && !isTrial) throw refused(`场景“${scene.name}”已禁用`)
}

type Queries = ReturnType<typeof controlQueries>
type SceneRow = NonNullable<Awaited<ReturnType<Queries['scene']>>>

/** Returns `打开` or `关闭`, or a text such as `亮度为 30` built with the product model of the first device. */
async function settingTitle(queries: Queries, values: Values, [first]: PlannedDevice[]) {
  const { [lightSwitch]: lit, ...others } = values
  if (lit !== undefined && Object.keys(others).length === 0) return lit === 1 ? '打开' : '关闭'
  return settingText(first && (await queries.model(first.productId)), values).slice(0, 100)
}

/** A title lists at most this many spaces; the rest are counted. */
const namedSpaces = 3
const spacesOf = (scope: Extract<ControlScope, { kind: 'space' | 'spaces' }>) =>
  scope.kind === 'space' ? [scope.spaceId] : [...new Set(scope.spaceIds)]

async function spacesWithin(queries: Queries, projectId: number, spaceIds: string[]) {
  const tree = treeOf(await queries.spaces(projectId))
  if (!spaceIds.every((id) => tree.get(id))) throw missing('空间')
  return new Set(spaceIds.flatMap((id) => [...tree.within(id)]))
}

/** Turns a space, group or project scope into a SQL condition on devices. */
async function areaOf(
  db: Db,
  projectId: number,
  scope: Exclude<ControlScope, { kind: 'devices' }>,
): Promise<Parameters<Queries['standing']>[1]> {
  if (scope.kind === 'space' || scope.kind === 'spaces')
    return {
      spaceIds: [...(await spacesWithin(controlQueries(db), projectId, spacesOf(scope)))],
    }
  if (scope.kind === 'group')
    return { isMember: (await groupAsScope(db, projectId, scope.groupId)).isMember }
  return {}
}

async function bulkAction(
  queries: Queries,
  { productType, actionType }: Extract<ControlRequest, { kind: 'action' }>,
) {
  const type = await queries.productType(productType)
  const action = type?.actions.find((one) => one.actionType === actionType)
  if (!type || !action) throw missing('批量动作')
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
  const summaryOf = (groups: Standing[]) =>
    summary(
      groups.map(({ devices, already, ...one }) => ({
        devices,
        already,
        skip: skips(one, permission, meansProtected(request)),
      })),
    )

  if (request.kind === 'scene') return summaryOf(await sceneStanding(db, request))
  const { scope } = request
  if (scope.kind === 'devices')
    return preflightOf((await planRequest(db, request, permission)).planned)
  const area = await areaOf(db, projectId, scope)
  if (request.kind === 'action') {
    const { action } = await bulkAction(queries, request)
    const type = request.productType
    const target = { [action.identifier]: action.value }
    return summaryOf(await queries.standing(projectId, { ...area, type }, target))
  }
  const groups = await queries.standing(projectId, area, request.values)
  return summaryOf(await whoCan(queries, request, groups))
}

type Standing = Awaited<ReturnType<Queries['standing']>>[number]

/**
 * Returns the devices that can take the values. If the request names devices, each must be able to;
 * in a space, a group or the project, the others are left out.
 * @throws if a named device, or every device of the area, cannot take the values
 */
async function whoCan<T extends { productId: string; name?: string }>(
  queries: Queries,
  { values, scope }: Extract<ControlRequest, { kind: 'set' }>,
  ones: T[],
): Promise<T[]> {
  if (Object.keys(values).length === 0) throw refused('请选择要设置的功能')
  const models = await queries.models()
  const faults = new Map<string, ReturnType<typeof faultOfSetting>>()
  const nameOf = propertyNames(models.values())
  for (const { productId } of ones)
    if (!faults.has(productId))
      faults.set(productId, faultOfSetting(models.get(productId)!, values, nameOf))
  const able = ones.filter(({ productId }) => !faults.get(productId))
  const unable = ones.find(({ productId }) => faults.get(productId))
  const fault = unable && faults.get(unable.productId)
  if (fault && scope.kind === 'devices') {
    const { why, part } = fault
    const said = `${unable.name}：${why}`
    throw part ? wrongFields({ [part.path]: part.why }, said) : refused(said)
  }
  if (fault && able.length === 0) throw refused(`所选范围内没有可以这样设置的设备：${fault.why}`)
  return able
}

/** Counts the devices of a scene by state; a device that several actions reach is counted once. */
async function sceneStanding(
  db: Db,
  { projectId, sceneId, trial }: Extract<ControlRequest, { kind: 'scene' }>,
): Promise<Standing[]> {
  const queries = controlQueries(db)
  mustBeOn(await queries.scene(projectId, sceneId), trial)
  const actions = await queries.sceneActions(projectId, sceneId)
  const areas = await Promise.all(
    actions.map(async ({ scope, productType }) => ({
      productType,
      whole: scope.kind === 'project',
      spaces: scope.kind === 'space' && (await spacesWithin(queries, projectId, [scope.spaceId])),
    })),
  )
  const isInside = ({ productType, spaceId }: Pick<Standing, 'productType' | 'spaceId'>) =>
    areas.some(
      (area) =>
        area.productType === productType &&
        (area.whole || (area.spaces && area.spaces.has(spaceId ?? ''))),
    )
  const named = await Promise.all(
    actions.map(async ({ scope, productType: type }) => {
      if (scope.kind === 'devices')
        return queries.devices(projectId, { ids: scope.deviceIds, type })
      // Group membership cannot be derived from product type and space, so the group's devices are read.
      if (scope.kind === 'group')
        return queries.devices(projectId, { ...(await areaOf(db, projectId, scope)), type })
      return []
    }),
  )
  const others = new Map(named.flat().map((device) => [device.id, device]))
  return [
    ...(await queries.standing(projectId)).filter(isInside),
    ...[...others.values()]
      .filter((device) => !isInside(device))
      .map((device) => ({ ...device, devices: 1, already: 0 })),
  ]
}

export const preflightOf = (planned: Planned[]) =>
  summary(planned.map((one) => ({ devices: 1, already: saysAlready(one) ? 1 : 0, skip: one.skip })))

const saysAlready = ({ device: { reported, stale }, target }: Planned) =>
  Object.entries(target).every(
    ([identifier, value]) => isAnswered(value, reported[identifier]) && !(identifier in stale),
  )

function summary(groups: { devices: number; already: number; skip?: Skip }[]): Preflight {
  const count = (skip?: Skip) =>
    groups.filter((one) => one.skip === skip).reduce((sum, { devices }) => sum + devices, 0)
  return {
    affected: count(undefined),
    already: groups.reduce((sum, { already, skip }) => sum + (skip ? 0 : already), 0),
    skipped: {
      protected: count('protected'),
      offline: count('offline'),
      disabled: count('disabled'),
    },
  }
}
