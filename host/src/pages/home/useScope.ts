import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Scope } from '@iot/shared/contract/control'
import type { Picked } from '@iot/shared/plan/floorPlan'
import type { SpaceTree } from '@iot/shared/plan/spaces'

/**
 * What the actions are for, and which floor the plan shows: `?scope=<space>&floor=<floor>`, the whole project where
 * there is no scope. Single devices picked on the plan win over both and are not in the address.
 */
export function useScope(tree: SpaceTree) {
  const [params, setParams] = useSearchParams()
  const [picked, setPicked] = useState<Picked>(new Map())
  const space = tree.get(params.get('scope'))
  const floors = tree.floorsOf()
  const floor = tree.get(params.get('floor')) ?? tree.floorsOf(space?.id)[0] ?? floors[0]

  const go = (next: Record<string, string | undefined>) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      for (const [key, value] of Object.entries({ device: undefined, ...next })) {
        if (value) after.set(key, value)
        else after.delete(key)
      }
      return after
    })

  /** The plan follows into the chosen space. */
  const choose = (id?: string) => {
    setPicked(new Map())
    const chosen = id ? tree.path(id).find(({ type }) => type === 'floor') : floor
    const below = id && !chosen ? tree.floorsOf(id) : []
    const shown = chosen ?? (below.some((one) => one.id === floor?.id) ? floor : below[0])
    go({ scope: id, floor: shown?.id })
  }

  const scope: Scope = picked.size
    ? { kind: 'devices', deviceIds: [...picked.keys()] }
    : space
      ? { kind: 'space', spaceId: space.id }
      : { kind: 'project' }
  return {
    scope,
    spaceId: space?.id,
    name: picked.size ? `已选 ${picked.size} 盏` : space ? tree.nameOf(space.id) : '整个项目',
    floor,
    /** What of the project is looked at: the floor of the plan, and those of the lights that were picked. */
    floorIds: [...new Set([...(floor ? [floor.id] : []), ...picked.values()])].sort(),
    floors,
    showFloor: (id: string) => go({ floor: id }),
    choose,
    picked,
    setPicked,
    deviceId: params.get('device') ?? undefined,
    sceneId: params.get('scene') ?? undefined,
    forgetScene: () => go({ scene: undefined }),
  }
}
