import type {
  Condition,
  Position,
  SceneAction,
  SceneDraft,
  SceneScope,
  Timing,
  Trigger,
} from '@iot/shared/contract/control/scene.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import {
  listConditionDeviceIds,
  explainDeadTrigger as refuseDeadTrigger,
  type ConditionDevices,
} from '@iot/shared/contract/control/sceneText'
import type { DataType, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { explainNeverMet } from '@iot/shared/contract/thingModel/numberComparison'
import { isNumberType } from '@iot/shared/contract/thingModel/thingText'
import {
  formatFunctionName,
  validateSetting,
  validateValue,
} from '@iot/shared/contract/thingModel/thingValue'
import { createTree } from '@iot/shared/contract/tree'
import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { scene, sceneAction } from '../../tables/scene'
import { device, product } from '../../tables/device'
import { createPropertyNamer } from '../category/policy'
import { findContradiction } from './comparison'
import { parseCron } from './dueTimes'
import type { SceneQueries } from './queries'

/** Returns why a condition of the scene can never be met; the text is empty if all of them can. */
export async function findDeadCondition(db: Db, projectId: number, triggers: readonly Trigger[]) {
  const ids = listConditionDeviceIds(triggers)
  if (ids.length === 0) return ''
  const rows = await db
    .select({ id: device.id, name: device.name, state: device.state })
    .from(device)
    .where(and(eq(device.projectId, projectId), inArray(device.id, ids)))
  const devices = new Map(
    rows.map(({ id, name, state }) => [id, { name, isDisabled: state === 'disabled' }]),
  )
  return triggers.map((trigger) => refuseDeadTrigger(trigger, devices)).find(Boolean) ?? ''
}

/** SQL for a run `r` that a schedule or condition started, that was missed or failed, and that is not acknowledged. */
export const isOpenRun = sql`r.cause in ('timer', 'condition') and r.status in ('missed', 'failed') and r.acknowledged_time is null`

type ActionDevice = Awaited<ReturnType<SceneQueries['listActionDevices']>>[number]
export type SceneFacts = {
  devices: ActionDevice[]
  spaces: { id: string; parentId: string | null; name: string }[]
  models: ReadonlyMap<string, ThingModel>
  types: ReadonlyMap<string, string>
  /** Current members of the groups that were looked up, by group id. */
  groups: ReadonlyMap<string, ReadonlySet<string>>
  position: Position | null
}
type FieldErrors = Record<string, string>

/** Reads the devices that conditions refer to, for their texts; devices of other projects are left out. */
export async function readConditionDevices(
  db: Db,
  projectIds: number[],
  triggers: readonly Trigger[],
): Promise<ConditionDevices> {
  const ids = listConditionDeviceIds(triggers)
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: device.id, name: device.name, model: product.model })
    .from(device)
    .innerJoin(product, eq(product.id, device.productId))
    .where(and(inArray(device.id, ids), inArray(device.projectId, projectIds)))
  return new Map(rows.map(({ id, name, model }) => [id, { name, properties: model.properties }]))
}

export async function readSceneFacts(
  queries: SceneQueries,
  projectId: number,
  position: Position | null,
  scopes: SceneScope[] = [],
): Promise<SceneFacts> {
  const devices = await queries.listActionDevices(projectId)
  return {
    devices,
    spaces: await queries.listSpaces(projectId),
    models: await queries.findModels([...new Set(devices.map(({ productId }) => productId))]),
    types: await queries.listTypeNames(),
    groups: await queries.listGroupMembers(projectId, scopes),
    position,
  }
}

/** Returns the devices of a type within a scope; undefined if the scope names something the project does not have. */
export function selectDevicesInScope(
  { devices, spaces, groups }: SceneFacts,
  scope: SceneScope,
  type: string,
) {
  const { isWholeProject, spaceIds, groupIds, deviceIds } = getScopePlaces(scope)
  const tree = createTree(spaces)
  const knownIds = new Set(devices.map(({ id }) => id))
  if (
    !spaceIds.every((id) => tree.get(id)) ||
    !groupIds.every((id) => groups.has(id)) ||
    !deviceIds.every((id) => knownIds.has(id))
  )
    return undefined
  const spaceIdsWithin = new Set(spaceIds.flatMap((id) => [...tree.within(id)]))
  const namedIds = new Set([...deviceIds, ...groupIds.flatMap((id) => [...groups.get(id)!])])
  return devices.filter(
    ({ id, spaceId, productType }) =>
      productType === type &&
      (isWholeProject || namedIds.has(id) || (spaceId !== null && spaceIdsWithin.has(spaceId))),
  )
}

/**
 * Returns error messages by field path for actions whose scope or device type is invalid or whose values the devices
 * cannot take.
 */
export function refuseActions(
  { actions, order }: Pick<SceneDraft, 'actions' | 'order'>,
  facts: SceneFacts,
): FieldErrors {
  const fieldErrors = refuseTargets(actions, facts)
  const firstActions = order === 'serial' ? actions.slice(0, 1) : actions
  if (firstActions.length > 0 && !firstActions.some(({ delay }) => delay === 0))
    fieldErrors['actions.0.delay'] ??=
      order === 'serial' ? '第一个动作须立即执行' : '至少有一个动作立即执行'
  return fieldErrors
}

/** Returns error messages by field path for actions that cannot be carried out, apart from their order. */
export function refuseTargets(actions: readonly SceneAction[], facts: SceneFacts): FieldErrors {
  const fieldErrors: FieldErrors = {}
  const getPropertyName = createPropertyNamer(facts.models.values())
  for (const [index, { scope, productType, values }] of actions.entries()) {
    const addError = (field: string, message: string) =>
      (fieldErrors[`actions.${index}.${field}`] ??= message)
    const type = facts.types.get(productType)
    if (!type) {
      addError('productType', '所选设备类型不存在或已被删除')
      continue
    }
    const devices = selectDevicesInScope(facts, scope, productType)
    if (!devices) {
      addError('scope', '所选范围或设备不存在或已被删除')
      continue
    }
    const matchingIds = new Set(devices.map(({ id }) => id))
    const { deviceIds } = getScopePlaces(scope)
    const otherTypeCount = deviceIds.filter((id) => !matchingIds.has(id)).length
    if (otherTypeCount > 0) addError('scope', `有 ${otherTypeCount} 台设备不是${type}`)
    else if (devices.length === 0) addError('scope', `所选范围内没有${type}`)
    else if (devices.every((device) => device.protected))
      addError('scope', '所选设备都是受保护回路，场景不会控制它们')
    for (const { productId, productName } of devices) {
      const reason = validateSetting(facts.models.get(productId)!, values, getPropertyName)
      if (!reason) continue
      const refusingDevices = devices.filter((device) => device.productId === productId)
      const deviceLabel =
        refusingDevices.length === 1
          ? refusingDevices[0]!.name
          : `${refusingDevices.length} 台“${productName}”`
      addError('values', `${deviceLabel}：${reason}`)
      break
    }
  }
  return fieldErrors
}

/** Returns why a comparison with a number cannot start a scene; undefined if it can. */
function explainImpossibleComparison(
  dataType: Extract<DataType, { type: 'int' | 'float' | 'double' }>,
  compare: Condition['compare'],
  value: unknown,
): string | undefined {
  if (typeof value !== 'number') return '须为数字'
  const reason = explainNeverMet(dataType, compare, value)
  return reason && `${reason}，这个条件永远不会满足`
}

function refuseTrigger(
  trigger: Trigger,
  facts: SceneFacts,
  isAsSunday: boolean,
): [string, string] | undefined {
  if (trigger.kind === 'cron') {
    try {
      // The parser also knows nicknames such as @daily, which the preview and the texts do not.
      if (trigger.cron.startsWith('@')) throw new Error(trigger.cron)
      if (!parseCron(trigger.cron).nextRun()) return ['cron', '这个 cron 表达式永远不会触发']
    } catch {
      return ['cron', 'cron 表达式不正确：须为“分 时 日 月 周”五段']
    }
    const [, , day, , week] = trigger.cron.trim().split(/\s+/)
    if (isAsSunday && day !== '*' && week !== '*')
      return ['cron', '按周日时，cron 不能同时限定日和周']
  }
  if (trigger.kind === 'sun' && !trigger.position && !facts.position)
    return ['position', '项目没有设置经纬度，请在这里填写']
  if (trigger.kind !== 'condition') return undefined
  for (const [index, { deviceId, identifier, compare, value }] of trigger.conditions.entries()) {
    const path = (field: string) => `conditions.${index}.${field}`
    const device = facts.devices.find(({ id }) => id === deviceId)
    if (!device) return [path('deviceId'), '所选设备不存在或已被删除']
    const property = facts.models
      .get(device.productId)!
      .properties.find((candidate) => candidate.identifier === identifier)
    if (!property)
      return [
        path('identifier'),
        `${device.name}没有功能${formatFunctionName(identifier, createPropertyNamer(facts.models.values()))}`,
      ]
    if (property.accessMode === 'w')
      return [path('identifier'), `${property.name}只写，不能作为条件`]
    const { dataType } = property
    const isNumber = isNumberType(dataType)
    if (!isNumber && compare !== 'eq' && compare !== 'ne')
      return [path('compare'), `${property.name}只能比较等于或不等于`]
    const reason = isNumber
      ? explainImpossibleComparison(dataType, compare, value)
      : validateValue(dataType, value)
    if (reason) return [path('value'), `${property.name}${reason}`]
  }
  const contradiction = trigger.match === 'all' ? findContradiction(trigger.conditions) : -1
  return contradiction < 0
    ? undefined
    : [`conditions.${contradiction}.value`, '和前面的条件互相矛盾，这个触发永远不会满足']
}

/** Returns error messages by field path for invalid triggers, day types and quiet hours. */
export function refuseTiming(timing: Timing, facts: SceneFacts): FieldErrors {
  const fieldErrors: FieldErrors = {}
  for (const [index, trigger] of timing.triggers.entries()) {
    const triggerError = refuseTrigger(trigger, facts, timing.dayMode === 'asSunday')
    if (triggerError) fieldErrors[`triggers.${index}.${triggerError[0]}`] = triggerError[1]
  }
  if (timing.dayMode !== 'ignore' && timing.dayTypes.length === 0)
    fieldErrors.dayTypes = '请选择日期类型'
  if ((timing.quietFrom === null) !== (timing.quietTo === null))
    fieldErrors[timing.quietFrom === null ? 'quietFrom' : 'quietTo'] = '静默时段请填写开始和结束'
  else if (timing.quietFrom !== null && timing.quietFrom === timing.quietTo)
    fieldErrors.quietTo = '静默时段的开始和结束不能相同'
  return fieldErrors
}

/** Matches scenes that start by a device whose condition, a JSON object named `condition`, meets the filter. */
export const whereStartsByCondition = (filter: SQL) =>
  sql`exists (select 1 from jsonb_array_elements(${scene.triggers}) as started
    cross join jsonb_array_elements(coalesce(started -> 'conditions', '[]'::jsonb)) as condition
    where ${filter})`

/** Lists scenes whose actions name one of these groups, spaces or devices. */
export async function listScenesUsing(
  db: Db,
  key: 'groupId' | 'spaceId' | 'deviceId',
  ids: string[],
) {
  const rows = await db
    .selectDistinct({ id: scene.id, name: scene.name, scope: sceneAction.scope })
    .from(sceneAction)
    .innerJoin(
      scene,
      and(eq(scene.projectId, sceneAction.projectId), eq(scene.id, sceneAction.sceneId)),
    )
    .where(
      or(
        inArray(sql`${sceneAction.scope} ->> ${key}`, ids),
        sql`exists (select 1 from jsonb_array_elements_text(${sceneAction.scope} -> ${`${key}s`}) as named where named in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
      ),
    )
  const uses = rows.flatMap(({ id, name, scope }) => {
    const namedIds = getScopePlaces(scope)[`${key}s`]
    return namedIds.filter((to) => ids.includes(to)).map((to) => ({ to, id, name, entity: '场景' }))
  })
  // Several actions of a scene may name the same place.
  return [...new Map(uses.map((use) => [`${use.to} ${use.id}`, use])).values()]
}
