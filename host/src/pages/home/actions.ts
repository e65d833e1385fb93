import type { ControlRequest, ControlScope } from '@iot/shared/contract/control'
import type { ActionMode } from '@iot/shared/contract/device'
import { lightType } from '@iot/shared/contract/light'
import type { Asked } from '@iot/shared/control/confirmControl'

/** Lights are what home is about; of other types a button says which. */
export const isOfLights = ({ productType }: ActionMode) => productType === lightType
const verbs: Record<string, string> = { all_on: '开', all_off: '关' }
export const verbOfLights = (mode: ActionMode) =>
  isOfLights(mode) ? verbs[mode.actionType] : undefined
export const textOf = (mode: ActionMode) => (isOfLights(mode) ? '' : mode.typeName) + mode.name

/** `大堂的灯`, `选中的 4 盏灯` */
const lightsOf = (name: string) => (name.endsWith('盏') ? `${name}灯` : `${name}的灯`)

/** A bulk action for a scope that people call so. */
export function asking(
  mode: ActionMode,
  projectId: number,
  scope: ControlScope,
  name: string,
): Asked & { request: ControlRequest } {
  const { productType, actionType, confirm } = mode
  const verb = verbOfLights(mode)
  const title = verb ? `${verb}${lightsOf(name)}` : `${name}：${textOf(mode)}`
  const isSpoken = verb !== undefined && (actionType === 'all_on' || actionType === 'all_off')
  return {
    title,
    okText: textOf(mode),
    request: { kind: 'action', projectId, productType, actionType, scope },
    spoken: isSpoken ? { kind: actionType, name } : { kind: 'action', name: title },
    confirm,
  }
}
