import type { ControlRequest, ControlScope } from '@iot/shared/contract/control/control.schema'
import type { ActionMode } from '@iot/shared/contract/device/device.schema'
import { describeLights, lightProductType } from '@iot/shared/contract/control/light'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'

/** Home is about lights, so only buttons of other product types name their type. */
export const isLightMode = ({ productType }: ActionMode) => productType === lightProductType
const lightVerbs: Record<string, string> = { all_on: '开', all_off: '关' }
export const getLightVerb = (mode: ActionMode) =>
  isLightMode(mode) ? lightVerbs[mode.actionType] : undefined
export const getModeText = (mode: ActionMode) =>
  (isLightMode(mode) ? '' : mode.typeName) + mode.name

/** Tells whether a control mode of the lights, or its given action type, requires strict confirmation. */
export const hasStrictMode = (modes: ActionMode[], actionType?: string) =>
  modes.some(
    (mode) =>
      getLightVerb(mode) &&
      mode.confirm === 'strict' &&
      (actionType === undefined || mode.actionType === actionType),
  )

/** Builds the request of a bulk action for a scope with its display name. */
export function createBulkAction(
  mode: ActionMode,
  projectId: number,
  scope: ControlScope,
  name: string,
): ControlConfirmation & { request: ControlRequest } {
  const { productType, actionType, confirm } = mode
  const verb = getLightVerb(mode)
  const lampCount = scope.kind === 'devices' ? scope.deviceIds.length : undefined
  const lightTitle =
    verb && verb + (lampCount === 1 ? ' ' : '') + describeLights(name, lampCount, '的灯')
  const title = lightTitle ?? `${name}：${getModeText(mode)}`
  const isSpoken = verb !== undefined && (actionType === 'all_on' || actionType === 'all_off')
  return {
    title,
    okText: getModeText(mode),
    request: { kind: 'action', projectId, productType, actionType, scope },
    spoken: isSpoken
      ? { kind: actionType, name, lamps: lampCount }
      : { kind: 'action', name: title },
    confirm,
  }
}
