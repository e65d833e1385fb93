import type {
  BulkRequest,
  ControlRequest,
  ControlScope,
  Preflight,
} from '@iot/shared/contract/control/control.schema'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { SceneAction } from '@iot/shared/contract/control/scene.schema'
import { lightSwitchIdentifier, lightProductType } from '@iot/shared/contract/control/light'
import { describeRequestedSetting } from '@iot/shared/contract/thingModel/thingValue'
import type { Db } from '../../core/db/db'
import { createMissingRefusal, createRefusal } from '../../core/refusal'
import { readOverrides, type OpenOverride, type Overrides } from './overrides'
import { findSkipReason, type ControlPermission, type SkipReason } from './policy'
import { planningQueries, type PlannedDevice, type PlanningQueries } from './planningQueries'
import type { TaskTarget } from './queries'
import { toDeviceFilter, splitExcepted, filterSettable, findActionDevices } from './scopeDevices'
import { nameScope, getUnit } from './scopeName'

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
  return request.kind === 'scene'
    ? planScene(db, request, actionSorts)
    : planBulkRequest(db, request, permission)
}

/** Plans a request that is no scene, and returns the open overrides of the project with the plan. */
export async function planBulkRequest(
  db: Db,
  request: BulkRequest,
  permission: ControlPermission,
): Promise<Plan & Pick<Overrides, 'overrides'>> {
  const queries = planningQueries(db)
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
  const openOverrides = await readOverrides(db, projectId)
  const { overrides } = openOverrides
  const planDevices = (devices: PlannedDevice[], values: Values): Planned[] =>
    devices.map((device) => {
      const override = openOverrides.find(device)
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
      overrides,
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
    overrides,
  }
}

async function planScene(
  db: Db,
  { projectId, sceneId, trial }: Extract<ControlRequest, { kind: 'scene' }>,
  actionSorts?: readonly number[],
): Promise<Plan> {
  const queries = planningQueries(db)
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

const lightVerbs = new Map([
  ['all_on', '开'],
  ['all_off', '关'],
])

/** Only a command to a single device may act on it although it is held. */
const ignoresOverrides = (request: ControlRequest) =>
  request.kind === 'set' && request.onOverride !== undefined

/** A disabled scene may run only as a trial. */
export function assertSceneRunnable(
  scene: SceneRow | undefined,
  isTrial: boolean | undefined,
): asserts scene is SceneRow {
  if (!scene) throw createMissingRefusal('场景')
  if (scene.status === 'disabled' && !isTrial) throw createRefusal(`场景“${scene.name}”已禁用`)
}
type SceneRow = NonNullable<Awaited<ReturnType<PlanningQueries['scene']>>>

/** Returns `打开` or `关闭`, or a text such as `亮度调到 30%` built with the product model of the first device. */
async function formatSettingTitle(
  queries: PlanningQueries,
  values: Values,
  [first]: PlannedDevice[],
) {
  const { [lightSwitchIdentifier]: switchValue, ...otherValues } = values
  if (switchValue !== undefined && Object.keys(otherValues).length === 0)
    return switchValue === 1 ? '打开' : '关闭'
  return describeRequestedSetting(first && (await queries.model(first.productId)), values).slice(
    0,
    100,
  )
}

export async function findBulkAction(
  queries: PlanningQueries,
  { productType, actionType }: Extract<ControlRequest, { kind: 'action' }>,
) {
  const type = await queries.productType(productType)
  const action = type?.actions.find((one) => one.actionType === actionType)
  if (!type || !action) throw createMissingRefusal('批量动作')
  return { type, action }
}
