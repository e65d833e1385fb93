import type { MapDevice } from '@iot/shared/contract/device'
import type { Space } from '@iot/shared/contract/project'

/** Whether a light is lit, in the standard model of lights: 1 or 0. */
export const lightSwitch = 'PowerSwitch'

export type Look = 'on' | 'off' | 'offline' | 'unknown'
export const lookText: Record<Look, string> = {
  on: '开',
  off: '关',
  offline: '离线',
  unknown: '未上报',
}

/** What the device last confirmed; what was asked of it since does not count. */
export function lookOf({ state, reported }: Pick<MapDevice, 'state' | 'reported'>): Look {
  if (state !== 'online') return 'offline'
  const value = reported[lightSwitch]
  return value === undefined ? 'unknown' : Number(value) === 1 ? 'on' : 'off'
}

/** The name of a light as it is read out: name, state, and what is special about it. */
export const labelOf = (device: MapDevice, isPending: boolean) =>
  [
    `${device.name} ${lookText[lookOf(device)]}`,
    device.protected && '受保护',
    isPending && '等待确认',
  ]
    .filter(Boolean)
    .join('，')

export type Counts = Record<Look, number> & { total: number; protected: number }
export const countLooks = (devices: MapDevice[]) => {
  const counts: Counts = {
    on: 0,
    off: 0,
    offline: 0,
    unknown: 0,
    total: devices.length,
    protected: 0,
  }
  for (const device of devices) {
    counts[lookOf(device)]++
    if (device.protected) counts.protected++
  }
  return counts
}

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
