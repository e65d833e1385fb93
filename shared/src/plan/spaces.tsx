import type { MapDevice } from '../contract/device'
import type { Space } from '../contract/project'
import { treeOf } from '../contract/tree'
import { lookOf } from './lights'

/** The spaces of a project, to be asked for what lies above and below. */
export function spaceTree(spaces: Space[]) {
  const tree = treeOf(spaces)
  const floors = spaces.filter(({ type }) => type === 'floor')
  return {
    ...tree,
    /** In the order the platform gave them; all of them without a space. */
    floorsOf(id?: string) {
      const within = id ? tree.within(id) : undefined
      return floors.filter((floor) => within?.has(floor.id) ?? true)
    },
    nameOf: (id: string) =>
      tree
        .path(id)
        .map(({ name }) => name)
        .join(' '),
    /** Whether a device stands in the space or below it. */
    holds: (id: string, { spaceId, floorId }: Pick<MapDevice, 'spaceId' | 'floorId'>) =>
      tree.path(spaceId || floorId).some((space) => space.id === id),
  }
}
export type SpaceTree = ReturnType<typeof spaceTree>

/** Per space the lights below it: how many are on, how many there are. */
export function countBySpace(tree: SpaceTree, lights: MapDevice[]) {
  const counts = new Map<string, { on: number; total: number }>()
  const lines = new Map<string, string[]>()
  for (const light of lights) {
    const place = light.spaceId || light.floorId
    if (!lines.has(place))
      lines.set(
        place,
        tree.path(place).map(({ id }) => id),
      )
    for (const id of lines.get(place)!) {
      const count = counts.get(id) ?? { on: 0, total: 0 }
      counts.set(id, { on: count.on + (lookOf(light) === 'on' ? 1 : 0), total: count.total + 1 })
    }
  }
  return counts
}
