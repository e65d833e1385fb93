import type { Values } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import type { SceneAction, SceneEffect } from '@iot/shared/contract/control/scene.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { describeRequestedSetting } from '@iot/shared/contract/thingModel/thingValue'
import type { Db } from '../../core/db/db'
import { getUnit } from './scopeName'
import { hasTargetValues, summarizePlan } from './preflight'
import { planActions, type Planned } from './plan'
import { controlQueries } from './queries'

const maxNames = 5

/** Returns what the actions of a scene, stored or not, would do to the devices as they are now. */
export async function preflightActions(db: Db, projectId: number, actions: SceneAction[]) {
  const planned = await planActions(db, projectId, actions)
  const models = await controlQueries(db).models()
  return { effects: groupEffects(planned, models), preflight: summarizePlan(planned) }
}

/** Groups devices that get the same values. Protected circuits are left out, because no scene controls them. */
function groupEffects(planned: Planned[], models: ReadonlyMap<string, ThingModel>): SceneEffect[] {
  const plannedByAction = new Map<string, Planned[]>()
  for (const one of planned) {
    if (one.device.protected) continue
    const action = describeTarget(models.get(one.device.productId), one.target)
    plannedByAction.set(action, [...(plannedByAction.get(action) ?? []), one])
  }
  return [...plannedByAction].map(([action, group]) => {
    const changing = group.filter((one) => !one.skip && !hasTargetValues(one))
    return {
      action,
      unit: getUnit(group.map(({ device }) => device)),
      devices: group.length,
      changes: changing.length,
      names: changing.slice(0, maxNames).map(({ device }) => device.name),
    }
  })
}

/** Describes values as `关闭`, `打开（亮度调到 50%）` or `亮度调到 50%`. */
function describeTarget(model: ThingModel | undefined, target: Values) {
  const { [lightSwitchIdentifier]: switchValue, ...otherValues } = target
  const setting = describeRequestedSetting(model, otherValues)
  const verb = switchValue === 1 ? '打开' : switchValue === 0 ? '关闭' : ''
  return verb && setting ? `${verb}（${setting}）` : verb || setting
}
