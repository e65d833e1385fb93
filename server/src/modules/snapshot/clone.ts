import type { SceneScope } from '@iot/shared/contract/control/scene.schema'
import { createSceneScope, getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { createTree } from '@iot/shared/contract/tree'
import { uuidv7 } from 'uuidv7'
import type { Content } from './content'

/**
 * Copies spaces, groups and scenes under new ids. Devices have their own keys and secrets and are not copied, so
 * actions
 * on single devices and condition triggers are dropped too; a scene without remaining actions is listed in `leftOut`.
 * A group of chosen devices is copied empty, and scenes that use it wait for new members.
 */
export function cloneContent({ spaces, groups, scenes }: Content) {
  const ids = new Map([...spaces, ...groups].map(({ id }) => [id, uuidv7()]))
  const orderedSpaces = createTree(spaces).ordered()
  const leftOut: string[] = []
  return {
    spaces: orderedSpaces.map((space) => ({
      ...space,
      id: ids.get(space.id)!,
      parentId: space.parentId && (ids.get(space.parentId) ?? null),
    })),
    groups: groups.map((group) => ({
      ...group,
      id: ids.get(group.id)!,
      deviceIds: [],
      spaceIds: group.spaceIds.flatMap((id) => ids.get(id) ?? []),
    })),
    scenes: scenes.flatMap(({ actions, triggers, ...scene }) => {
      const id = uuidv7()
      const clonedActions = actions.flatMap(({ scope, ...action }) => {
        const newScope = mapScope(scope, ids)
        return newScope ? [{ ...action, sceneId: id, scope: newScope }] : []
      })
      if (clonedActions.length === 0) {
        leftOut.push(scene.name)
        return []
      }
      return [
        {
          ...scene,
          id,
          triggers: triggers.filter(({ kind }) => kind !== 'condition'),
          actions: clonedActions,
        },
      ]
    }),
    leftOut,
  }
}

/** Returns the same places in the new project without single devices, or undefined if none remains. */
function mapScope(scope: SceneScope, ids: ReadonlyMap<string, string>): SceneScope | undefined {
  const { isWholeProject, spaceIds, groupIds } = getScopePlaces(scope)
  return createSceneScope({
    isWholeProject,
    spaceIds: spaceIds.flatMap((id) => ids.get(id) ?? []),
    groupIds: groupIds.flatMap((id) => ids.get(id) ?? []),
    deviceIds: [],
  })
}
