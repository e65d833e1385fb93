import type { Scope } from '@iot/shared/contract/control'
import { treeOf } from '@iot/shared/contract/tree'
import { uuidv7 } from 'uuidv7'
import type { Content } from './content'

/**
 * Spaces, groups and scenes with ids of their own. Devices have keys and secrets of their own and are not copied, and so
 * neither is what a scene sets on single devices or starts by their values; a scene nothing is left of is named. A group
 * of devices that were chosen waits for others, and with it the scenes that use it.
 */
export function clonedContent({ spaces, groups, scenes }: Content) {
  const ids = new Map([...spaces, ...groups].map(({ id }) => [id, uuidv7()]))
  const parents = treeOf(spaces).ordered()
  const leftOut: string[] = []
  return {
    spaces: parents.map((space) => ({
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
      const kept = actions.flatMap(({ scope, ...action }) => {
        const own = ownScope(scope, ids)
        return own ? [{ ...action, sceneId: id, scope: own }] : []
      })
      if (kept.length === 0) {
        leftOut.push(scene.name)
        return []
      }
      return [
        {
          ...scene,
          id,
          triggers: triggers.filter(({ kind }) => kind !== 'condition'),
          actions: kept,
        },
      ]
    }),
    leftOut,
  }
}

/** The same scope in the new project, where there is one. */
function ownScope(scope: Scope, ids: ReadonlyMap<string, string>): Scope | undefined {
  if (scope.kind === 'devices') return undefined
  if (scope.kind === 'project') return scope
  const id = ids.get(scope.kind === 'space' ? scope.spaceId : scope.groupId)
  if (!id) return undefined
  return scope.kind === 'space' ? { kind: 'space', spaceId: id } : { kind: 'group', groupId: id }
}
