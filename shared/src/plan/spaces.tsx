import type { MapDevice } from '../contract/device'
import type { Space } from '../contract/project'
import { treeOf } from '../contract/tree'

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

/** The lights below each space. */
export function lightsBySpace(tree: SpaceTree, lights: MapDevice[]) {
  const found = new Map<string, MapDevice[]>()
  for (const light of lights)
    for (const { id } of tree.path(light.spaceId || light.floorId)) {
      const here = found.get(id) ?? []
      here.push(light)
      found.set(id, here)
    }
  return found
}
