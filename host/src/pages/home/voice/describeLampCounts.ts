import type { SpaceLights } from '@iot/shared/contract/device/device.schema'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import type { CommandTarget } from './places'

/** Answers how many lamps of a place are on, with numbers that add up to all of its lamps. */
export function describeLampCounts(
  { space, spaces, group, device }: CommandTarget,
  tree: SpaceTree,
  counts: ReadonlyMap<string, SpaceLights>,
) {
  if (group || device) return '只能按位置数灯，请说楼层或房间'
  return (spaces ?? [space])
    .map((place) => {
      const { on, off, unknown, offline, total } = sumLightCounts(tree, counts, place?.id)
      const parts = [
        `亮 ${on} 盏`,
        `关 ${off} 盏`,
        unknown > 0 && `未知 ${unknown} 盏`,
        offline > 0 && `离线 ${offline} 盏`,
        `共 ${total} 盏`,
      ]
      return `${place ? tree.nameOf(place.id) : '整个项目'}：${parts.filter(Boolean).join('，')}`
    })
    .join('；')
}
