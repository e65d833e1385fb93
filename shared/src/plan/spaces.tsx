import type { MapDevice } from '../contract/device'
import type { Space } from '../contract/project'
import { lookOf } from './lights'

/** The spaces of a project, to be asked for what lies above and below. */
export function spaceTree(spaces: Space[]) {
  const byId = new Map(spaces.map((space) => [space.id, space]))
  const sorted = spaces.toSorted((a, b) => a.sort - b.sort)
  const childrenOf = (parentId: string | null) =>
    sorted.filter((space) => space.parentId === parentId)
  /** The space itself and all above it, outermost first. */
  const lineOf = (id: string | null): Space[] => {
    const space = id === null ? undefined : byId.get(id)
    return space ? [...lineOf(space.parentId), space] : []
  }
  const floorsOf = (id?: string) =>
    sorted.filter(
      ({ type, id: floor }) =>
        type === 'floor' && (!id || lineOf(floor).some((above) => above.id === id)),
    )
  return {
    get: (id: string | null | undefined) => (id ? byId.get(id) : undefined),
    childrenOf,
    lineOf,
    floorsOf,
    nameOf: (id: string) =>
      lineOf(id)
        .map(({ name }) => name)
        .join(' '),
    /** Whether a device stands in the space or below it. */
    holds: (id: string, { spaceId, floorId }: Pick<MapDevice, 'spaceId' | 'floorId'>) =>
      lineOf(spaceId || floorId).some((space) => space.id === id),
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
        tree.lineOf(place).map(({ id }) => id),
      )
    for (const id of lines.get(place)!) {
      const count = counts.get(id) ?? { on: 0, total: 0 }
      counts.set(id, { on: count.on + (lookOf(light) === 'on' ? 1 : 0), total: count.total + 1 })
    }
  }
  return counts
}
