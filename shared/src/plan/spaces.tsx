import type { SpaceLights } from '../contract/device'
import type { Space } from '../contract/project'
import { treeOf } from '../contract/tree'
import type { Counts } from './lights'

/** Indexes the spaces of a project as a tree. */
export function spaceTree(spaces: Space[]) {
  const tree = treeOf(spaces)
  const floors = spaces.filter(({ type }) => type === 'floor')
  return {
    ...tree,
    /** Returns floors in the server's order; all floors if no space is given. */
    floorsOf(id?: string) {
      const within = id ? tree.within(id) : undefined
      return floors.filter((floor) => within?.has(floor.id) ?? true)
    },
    nameOf: (id: string) =>
      tree
        .path(id)
        .map(({ name }) => name)
        .join(' '),
  }
}
export type SpaceTree = ReturnType<typeof spaceTree>

/** Sums the light counts of a space with everything below it, or of the whole project. */
export function lightsWithin(
  tree: SpaceTree,
  counts: ReadonlyMap<string, SpaceLights>,
  spaceId?: string,
): Counts {
  const within = spaceId === undefined ? undefined : tree.within(spaceId)
  const sum: Counts = {
    on: 0,
    off: 0,
    offline: 0,
    unknown: 0,
    protected: 0,
    total: 0,
    reachable: 0,
  }
  for (const one of counts.values()) {
    if (within && !within.has(one.spaceId)) continue
    for (const look of looks) {
      sum[look] += one[look]
      sum.total += one[look]
    }
    sum.protected += one.protected
    sum.reachable += one.reachable
  }
  return sum
}
const looks = ['on', 'off', 'offline', 'unknown'] as const
