import type { ControlScope, ExceptScope } from '@iot/shared/contract/control/control.schema'
import type {
  ActionMode,
  DeviceSearchResult,
  SpaceLights,
} from '@iot/shared/contract/device/device.schema'
import { getLightState, lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import { createBulkAction, getLightVerb, hasStrictMode } from '../bulkActions'
import { getConfirmLevel } from '../relativeChange'
import type { Command, Interpretation } from './grammar'
import type { LampChange } from './sentencePatterns'

/** Each property that can be set to a value has an identifier, a display name and a unit. */
const settings = {
  brightness: ['Brightness', '亮度', '%'],
  temperature: ['ColorTemperature', '色温', 'K'],
} as const

/** Builds the request for one lamp. A single lamp needs no confirmation unless it is protected. */
export function createDeviceAction(
  command: LampChange,
  device: Pick<DeviceSearchResult, 'id' | 'name' | 'protected' | 'state' | 'reported' | 'stale'>,
  projectId: number,
): ControlConfirmation {
  const { id, name } = device
  const [values, title] =
    command.kind === 'switch'
      ? [{ [lightSwitchIdentifier]: command.on ? 1 : 0 }, `${command.on ? '开' : '关'} ${name}`]
      : command.kind === 'brightness' || command.kind === 'temperature'
        ? [
            { [settings[command.kind][0]]: command.value },
            `${name}${settings[command.kind][1]}调到 ${command.value}${settings[command.kind][2]}`,
          ]
        : [{}, '']
  return {
    title: device.protected ? `${title}（受保护）` : title,
    okText: '执行',
    request: { kind: 'set', projectId, scope: { kind: 'devices', deviceIds: [id] }, values },
    spoken: { kind: 'single', name },
    // The preflight says that a lamp that is off stays off.
    confirm: device.protected
      ? 'strict'
      : command.kind !== 'switch' && getLightState(device) === 'off'
        ? 'ask'
        : 'none',
  }
}

type SpokenContext = {
  projectId: number
  tree: SpaceTree
  counts: ReadonlyMap<string, SpaceLights>
  modes: ActionMode[]
}

/** Builds the request for a scene or for the lamps of a scope, or `undefined` if the project has no such action. */
export function createCommandAction(
  command: Exclude<Interpretation, { kind: 'unclear' | 'question' | 'change' | 'tint' }>,
  { projectId, tree, counts, modes }: SpokenContext,
): ControlConfirmation | undefined {
  if (command.kind === 'scene')
    return {
      title: `执行场景“${command.name}”`,
      okText: '执行',
      request: { kind: 'scene', projectId, sceneId: command.id },
      spoken: { kind: 'scene', name: command.name },
    }
  const { scope, name } = getTarget(command, tree)
  if (command.kind !== 'switch') {
    const [identifier, propertyName, unit] = settings[command.kind]
    const title = `${name}${propertyName}调到 ${command.value}${unit}`
    return {
      title,
      okText: '执行',
      request: { kind: 'set', projectId, scope, values: { [identifier]: command.value } },
      spoken: {
        kind: 'action',
        name: title,
        done: `${name}${propertyName}已调到 ${command.value}${unit}`,
      },
      // The preflight says how many lamps are off and stay off.
      confirm: getSpokenConfirmLevel(
        command,
        tree,
        hasStrictMode(modes),
        sumLightCounts(tree, counts, command.space?.id).off > 0,
      ),
    }
  }
  const type = command.on ? 'all_on' : 'all_off'
  const mode = modes.find((candidate) => getLightVerb(candidate) && candidate.actionType === type)
  if (!mode) return undefined
  const confirm = getSpokenConfirmLevel(command, tree, mode.confirm === 'strict')
  return { ...createBulkAction(mode, projectId, scope, name), confirm }
}

/** A command with exceptions always shows first what it keeps. */
function getSpokenConfirmLevel(
  { space, except }: Command,
  tree: SpaceTree,
  isStrict: boolean,
  hasMoreToSay = false,
) {
  const level = getConfirmLevel(space, tree, isStrict)
  return level === 'none' && (except || hasMoreToSay) ? 'ask' : level
}

function getTarget(command: Command, tree: SpaceTree): { scope: ControlScope; name: string } {
  const area = getArea(command, tree)
  const { except } = command
  if (!except) return area
  const keptNames = [
    ...except.spaces.map((space) => (command.space ? space.name : tree.nameOf(space.id))),
    ...except.devices.map(({ name }) => name),
  ]
  return {
    scope: {
      kind: 'except',
      within: area.scope,
      spaceIds: except.spaces.map(({ id }) => id),
      deviceIds: except.devices.map(({ id }) => id),
    },
    name: `${area.name}（除${keptNames.join('、')}）`,
  }
}

function getArea(
  { space, spaces, group }: Command,
  tree: SpaceTree,
): { scope: ExceptScope['within']; name: string } {
  if (group) return { scope: { kind: 'group', groupId: group.id }, name: group.name }
  if (spaces)
    return {
      scope: { kind: 'spaces', spaceIds: spaces.map(({ id }) => id) },
      name: spaces.map(({ id }) => tree.nameOf(id)).join('、'),
    }
  if (space) return { scope: { kind: 'space', spaceId: space.id }, name: tree.nameOf(space.id) }
  return { scope: { kind: 'project' }, name: '整个项目' }
}
