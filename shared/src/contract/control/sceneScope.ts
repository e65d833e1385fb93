import type { SceneScope } from './scene.schema'

/** Places that the scope of an action names; it covers the devices in any of them. */
export type ScopePlaces = {
  isWholeProject: boolean
  spaceIds: string[]
  groupIds: string[]
  deviceIds: string[]
}
export const noPlaces: ScopePlaces = {
  isWholeProject: false,
  spaceIds: [],
  groupIds: [],
  deviceIds: [],
}

export function getScopePlaces(scope: SceneScope): ScopePlaces {
  switch (scope.kind) {
    case 'project':
      return { ...noPlaces, isWholeProject: true }
    case 'space':
      return { ...noPlaces, spaceIds: [scope.spaceId] }
    case 'group':
      return { ...noPlaces, groupIds: [scope.groupId] }
    case 'devices':
      return { ...noPlaces, deviceIds: scope.deviceIds }
    case 'places':
      return { isWholeProject: false, ...scope }
  }
}

/** Returns the scope of these places, one place as earlier versions store it; undefined if there is none. */
export function createSceneScope({
  isWholeProject,
  spaceIds,
  groupIds,
  deviceIds,
}: ScopePlaces): SceneScope | undefined {
  if (isWholeProject) return { kind: 'project' }
  const placeCount = spaceIds.length + groupIds.length
  if (placeCount === 0) return deviceIds.length > 0 ? { kind: 'devices', deviceIds } : undefined
  const [spaceId] = spaceIds
  const [groupId] = groupIds
  if (placeCount > 1 || deviceIds.length > 0)
    return { kind: 'places', spaceIds, groupIds, deviceIds }
  return spaceId ? { kind: 'space', spaceId } : { kind: 'group', groupId: groupId! }
}
