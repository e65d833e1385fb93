import type { ControlRequest, Preflight, Scope } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import { refuseSetting } from '@iot/shared/contract/thingValue'
import { treeOf } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { missing, refused } from '../../core/refusal'
import { skips, type ControlPermission, type Skip } from './policy'
import { controlQueries } from './queries'

export type PlannedDevice = Awaited<
  ReturnType<ReturnType<typeof controlQueries>['devices']>
>[number]
export type Planned = { device: PlannedDevice; target: Values; skip?: Skip }
export type Plan = { title: string; planned: Planned[] }

/** Which devices a request means, what each is to be set to, and which are left out and why. */
export async function planRequest(
  db: Db,
  request: ControlRequest,
  permission: ControlPermission,
): Promise<Plan> {
  const queries = controlQueries(db)
  const { projectId } = request

  async function inScope(scope: Scope): Promise<PlannedDevice[]> {
    if (scope.kind === 'project') return queries.devices(projectId)
    if (scope.kind === 'devices') {
      const devices = await queries.devices(projectId, [...new Set(scope.deviceIds)])
      if (devices.length < new Set(scope.deviceIds).size) throw missing('设备')
      return devices
    }
    const inside = await spacesWithin(queries, projectId, scope.spaceId)
    return (await queries.devices(projectId)).filter(
      (device) => device.spaceId !== null && inside.has(device.spaceId),
    )
  }
  const nameOf = async (scope: Scope, devices: PlannedDevice[]) => {
    if (scope.kind === 'project') return '整个项目'
    if (scope.kind === 'space')
      return (
        (await queries.spaces(projectId)).find((space) => space.id === scope.spaceId)?.name ?? ''
      )
    return devices.length === 1 ? devices[0]!.name : `${devices.length} 台设备`
  }
  const planned = (devices: PlannedDevice[], values: Values): Planned[] =>
    devices.map((device) => ({ device, target: values, skip: skips(device, permission) }))

  if (request.kind === 'action') {
    const { type, action } = await bulkAction(queries, request)
    const devices = (await inScope(request.scope)).filter(
      (device) => device.productType === request.productType,
    )
    return {
      title: `${type.name}${action.name} · ${await nameOf(request.scope, devices)}`,
      planned: planned(devices, { [action.identifier]: action.value }),
    }
  }

  if (request.kind === 'set') {
    if (Object.keys(request.values).length === 0) throw refused('请选择要设置的功能')
    const [devices, models] = await Promise.all([inScope(request.scope), queries.models()])
    let reason: string | undefined
    const able = devices.filter((device) => {
      const why = refuseSetting(models.get(device.productId)!, request.values)
      // Of devices that were named each must be able; of a space those are meant that are.
      if (why && request.scope.kind === 'devices') throw refused(`${device.name}：${why}`)
      reason ??= why
      return !why
    })
    if (able.length === 0 && reason) throw refused(`所选范围内没有可以这样设置的设备：${reason}`)
    return {
      title: `设置 · ${await nameOf(request.scope, able)}`,
      planned: planned(able, request.values),
    }
  }

  const scene = await queries.scene(projectId, request.sceneId)
  if (!scene) throw missing('场景')
  const targets = new Map<string, Planned>()
  for (const action of await queries.sceneActions(projectId, scene.id)) {
    // A device that was removed since is no longer meant.
    const devices =
      action.scope.kind === 'devices'
        ? await queries.devices(projectId, action.scope.deviceIds)
        : await inScope(action.scope)
    for (const one of planned(
      devices.filter((device) => device.productType === action.productType),
      action.values,
    )) {
      targets.set(one.device.id, {
        ...one,
        target: { ...targets.get(one.device.id)?.target, ...one.target },
      })
    }
  }
  return { title: `场景 · ${scene.name}`, planned: [...targets.values()] }
}

type Queries = ReturnType<typeof controlQueries>

async function spacesWithin(queries: Queries, projectId: number, spaceId: string) {
  const spaces = await queries.spaces(projectId)
  if (!spaces.some((space) => space.id === spaceId)) throw missing('空间')
  return treeOf(spaces).within(spaceId)
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

/** What a request will do. A bulk action of a project or a space is counted by the database: no device is read. */
export async function preflightRequest(
  db: Db,
  request: ControlRequest,
  permission: ControlPermission,
): Promise<Preflight> {
  if (request.kind !== 'action' || request.scope.kind === 'devices')
    return preflightOf((await planRequest(db, request, permission)).planned)
  const queries = controlQueries(db)
  const { projectId, productType, scope } = request
  await bulkAction(queries, request)
  const inside =
    scope.kind === 'space' ? await spacesWithin(queries, projectId, scope.spaceId) : undefined
  const groups = await queries.standing(projectId, productType, inside && [...inside])
  return summary(groups.map(({ devices, ...one }) => ({ devices, skip: skips(one, permission) })))
}

export const preflightOf = (planned: Planned[]) =>
  summary(planned.map(({ skip }) => ({ devices: 1, skip })))

function summary(groups: { devices: number; skip?: Skip }[]): Preflight {
  const count = (skip?: Skip) =>
    groups.filter((one) => one.skip === skip).reduce((sum, { devices }) => sum + devices, 0)
  return {
    affected: count(undefined),
    skipped: {
      protected: count('protected'),
      offline: count('offline'),
      disabled: count('disabled'),
    },
  }
}
