import { addTotal, sumLights } from '../contract/control/light'
import type { SpaceLights } from '../contract/device/device.schema'
import type { Space } from '../contract/project/project.schema'
import { createTree } from '../contract/tree'
import type { LightStateCounts } from './lights'

/** Indexes the spaces of a project as a tree. */
export function createSpaceTree(spaces: Space[]) {
  const tree = createTree(spaces)
  const floors = spaces.filter(({ type }) => type === 'floor')
  return {
    ...tree,
    /** Returns floors in the server's order; all floors if no space is given. */
    floorsOf(id?: string) {
      const spaceIds = id ? tree.within(id) : undefined
      return floors.filter((floor) => spaceIds?.has(floor.id) ?? true)
    },
    nameOf: (id: string) =>
      tree
        .path(id)
        .map(({ name }) => name)
        .join(' '),
  }
}
export type SpaceTree = ReturnType<typeof createSpaceTree>

/** Sums the light counts of a space with everything below it, or of the whole project. */
export function sumLightCounts(
  tree: SpaceTree,
  counts: ReadonlyMap<string, SpaceLights>,
  spaceId?: string,
): LightStateCounts {
  const spaceIds = spaceId === undefined ? undefined : tree.within(spaceId)
  const rows = [...counts.values()].filter((row) => spaceIds?.has(row.spaceId) ?? true)
  return addTotal(sumLights(rows))
}

/** @deprecated Use {@link createSpaceTree}; kept for remotes that were built before. */
export const spaceTree = createSpaceTree

/** @deprecated Use {@link sumLightCounts}; kept for remotes that were built before. */
export const lightsWithin = sumLightCounts
