import { call } from '@iot/shared/client/call'
import type { MapDevice } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { getLightState } from '@iot/shared/contract/control/light'
import type { Space } from '@iot/shared/contract/project/project.schema'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { Command } from './voice/grammar'

/**
 * These properties change step by step. If lamps differ by more than `alike`, one common value would not change them
 * all in the same direction.
 */
const adjustableScales = {
  change: {
    identifier: 'Brightness',
    name: '亮度',
    unit: '%',
    least: 1,
    most: 100,
    alike: 20,
    lowest: '最暗',
    highest: '最亮',
    able: '可以调光',
    example: '调到百分之六十',
  },
  tint: {
    identifier: 'ColorTemperature',
    name: '色温',
    unit: 'K',
    least: 2700,
    most: 6500,
    alike: 500,
    lowest: '最暖',
    highest: '最冷',
    able: '可以调色温',
    example: '调到四千 K',
  },
}

/** Tells whether a space is seen entirely from inside; an area with rooms of its own is not. */
export const isRoom = ({ id, type }: Space, tree: SpaceTree) =>
  type === 'room' || (type === 'area' && tree.children(id).length === 0)

/**
 * Returns the confirmation for a change: a scope larger than a room asks, and lamps with a strict control mode always
 * ask strictly.
 */
export const getConfirmLevel = (space: Space | undefined, tree: SpaceTree, isStrict = false) =>
  isStrict ? 'strict' : space && isRoom(space, tree) ? 'none' : 'ask'

type RelativeChange = Extract<Command, { kind: keyof typeof adjustableScales }> & {
  projectId: number
  tree: SpaceTree
  isStrict?: boolean
}

/**
 * Builds a relative change of brightness or colour temperature from the reported values of the lit lamps.
 * @returns the reason as text if no single value changes all lamps the same way
 */
export async function createRelativeChange(
  command: RelativeChange,
): Promise<ControlConfirmation | string> {
  const { kind, projectId, tree, space, group, device, by, isStrict } = command
  const scale = adjustableScales[kind]
  const { identifier, unit } = scale
  if (by === 0) return `${scale.name}加减 0${unit} 没有变化，请说调到多少，例如“${scale.example}”`
  const floor = tree.path(space?.id).find(({ type }) => type === 'floor')
  if (group || device || !space || !floor) return `请说调到多少，例如“${scale.example}”`
  const name = tree.nameOf(space.id)
  const getReportedValue = ({ reported, stale }: MapDevice) =>
    identifier in stale ? undefined : reported[identifier]
  const { map } = await call(deviceApi.mapInfo, { projectId, floorId: floor.id }, { quiet: true })
  const spaceIds = tree.within(space.id)
  const litLamps = Object.values(map).filter(
    (candidate) =>
      spaceIds.has(candidate.spaceId) &&
      getLightState(candidate) === 'on' &&
      !candidate.protected &&
      typeof getReportedValue(candidate) === 'number',
  )
  if (litLamps.length === 0) return `${name}没有亮着的${scale.able}的灯`
  const litValues = litLamps.map((lamp) => Number(getReportedValue(lamp)))
  const [lowestValue, highestValue] = [Math.min(...litValues), Math.max(...litValues)]
  const isExact = command.kind === 'change' && command.isExact
  if (highestValue - lowestValue > (isExact ? 0 : scale.alike))
    return `${name}的灯${scale.name}不一（${lowestValue}${unit}–${highestValue}${unit}），请说调到多少`
  // The extreme lamp is the starting point, so that no lamp changes in the opposite direction.
  const startValue = by > 0 ? highestValue : lowestValue
  const value = Math.min(scale.most, Math.max(scale.least, startValue + by))
  if (isExact && value !== startValue + by)
    return `${name}${scale.name}是 ${startValue}${unit}，不能再${by > 0 ? '加' : '减'} ${Math.abs(by)}${unit}，请说调到多少`
  if (by > 0 ? value <= startValue : value >= startValue)
    return `${name}已经${by > 0 ? scale.highest : scale.lowest}`
  const title = `${name}${scale.name}从 ${startValue}${unit} 调到 ${value}${unit}`
  return {
    title,
    okText: '执行',
    request: {
      kind: 'set',
      projectId,
      scope: { kind: 'devices', deviceIds: litLamps.map(({ id }) => id) },
      values: { [identifier]: value },
    },
    spoken: {
      kind: 'action',
      name: title,
      done: `${name}${scale.name}已从 ${startValue}${unit} 调到 ${value}${unit}`,
    },
    confirm: getConfirmLevel(space, tree, isStrict),
  }
}
