import type { ControlRequest, ControlScope } from '@iot/shared/contract/control'
import type { ActionMode } from '@iot/shared/contract/device'
import { lightsOf, lightType } from '@iot/shared/contract/light'
import type { Asked } from '@iot/shared/control/confirmControl'

/** Home is about lights, so only buttons of other product types name their type. */
export const isOfLights = ({ productType }: ActionMode) => productType === lightType
const verbs: Record<string, string> = { all_on: '开', all_off: '关' }
export const verbOfLights = (mode: ActionMode) =>
  isOfLights(mode) ? verbs[mode.actionType] : undefined
export const textOf = (mode: ActionMode) => (isOfLights(mode) ? '' : mode.typeName) + mode.name

/** Tells whether a control mode of the lights, or its given action type, requires strict confirmation. */
export const isStrictOf = (modes: ActionMode[], actionType?: string) =>
  modes.some(
    (mode) =>
      verbOfLights(mode) &&
      mode.confirm === 'strict' &&
      (actionType === undefined || mode.actionType === actionType),
  )

/** Builds the request of a bulk action for a scope with its display name. */
export function asking(
  mode: ActionMode,
  projectId: number,
  scope: ControlScope,
  name: string,
): Asked & { request: ControlRequest } {
  const { productType, actionType, confirm } = mode
  const verb = verbOfLights(mode)
  const lamps = scope.kind === 'devices' ? scope.deviceIds.length : undefined
  const told = verb && verb + (lamps === 1 ? ' ' : '') + lightsOf(name, lamps, '的灯')
  const title = told ?? `${name}：${textOf(mode)}`
  const isSpoken = verb !== undefined && (actionType === 'all_on' || actionType === 'all_off')
  return {
    title,
    okText: textOf(mode),
    request: { kind: 'action', projectId, productType, actionType, scope },
    spoken: isSpoken ? { kind: actionType, name, lamps } : { kind: 'action', name: title },
    confirm,
  }
}
