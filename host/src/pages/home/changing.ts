import { call } from '@iot/shared/client/call'
import { deviceApi, type MapDevice } from '@iot/shared/contract/device'
import { lookOf } from '@iot/shared/contract/light'
import type { Space } from '@iot/shared/contract/project'
import type { Asked } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { Command } from './grammar'

const dimming = 'Brightness'
/** Lamps that differ by more would not all become brighter by one value. */
const alike = 20

/** What is seen whole from where one stands. */
export const isRoom = ({ type }: Space) => type === 'room' || type === 'area'

const brightnessOf = ({ reported, stale }: MapDevice) =>
  dimming in stale ? undefined : reported[dimming]

type Change = Extract<Command, { kind: 'change' }> & { projectId: number; tree: SpaceTree }

/** Brighter or darker than what the lit lamps of a place say now; why not where that is not one thing for all. */
export async function changing(of: Change): Promise<Asked | string> {
  const { projectId, tree, space, group, by } = of
  const floor = tree.path(space?.id).find(({ type }) => type === 'floor')
  if (group || !space || !floor) return '请说调到多少，例如“调到百分之六十”'
  const name = tree.nameOf(space.id)
  const { map } = await call(deviceApi.mapInfo, { projectId, floorId: floor.id }, { quiet: true })
  const within = tree.within(space.id)
  const lit = Object.values(map).filter(
    (one) =>
      within.has(one.spaceId) &&
      lookOf(one) === 'on' &&
      !one.protected &&
      typeof brightnessOf(one) === 'number',
  )
  if (lit.length === 0) return `${name}没有亮着的可以调光的灯`
  const now = lit.map((one) => Number(brightnessOf(one)))
  const [least, most] = [Math.min(...now), Math.max(...now)]
  if (most - least > alike) return `${name}的灯亮度不一（${least}%–${most}%），请说调到多少`
  // None goes the other way.
  const from = by > 0 ? most : least
  const value = Math.min(100, Math.max(1, from + by))
  if (value === from) return `${name}已经${by > 0 ? '最亮' : '最暗'}`
  const title = `${name}亮度从 ${from}% 调到 ${value}%`
  return {
    title,
    okText: '执行',
    request: {
      kind: 'set',
      projectId,
      scope: { kind: 'devices', deviceIds: lit.map(({ id }) => id) },
      values: { [dimming]: value },
    },
    spoken: { kind: 'action', name: title },
    confirm: isRoom(space) ? 'none' : 'ask',
  }
}
