import { treeOf } from '@iot/shared/contract/tree'
import { uuidv7 } from 'uuidv7'
import type { Content } from './content'

/**
 * Spaces and scenes with ids of their own. Devices have keys and secrets of their own and are not copied, and so neither
 * is what a scene sets on single devices or starts by their values; a scene nothing is left of is named.
 */
export function clonedContent({ spaces, scenes }: Content) {
  const ids = new Map(spaces.map(({ id }) => [id, uuidv7()]))
  const parents = treeOf(spaces).ordered()
  const leftOut: string[] = []
  return {
    spaces: parents.map((space) => ({
      ...space,
      id: ids.get(space.id)!,
      parentId: space.parentId && (ids.get(space.parentId) ?? null),
    })),
    scenes: scenes.flatMap(({ actions, triggers, ...scene }) => {
      const id = uuidv7()
      const kept = actions.flatMap(({ scope, ...action }) => {
        if (scope.kind === 'devices') return []
        const spaceId = scope.kind === 'space' ? ids.get(scope.spaceId) : undefined
        if (scope.kind === 'space' && !spaceId) return []
        return [
          {
            ...action,
            sceneId: id,
            scope: spaceId ? { kind: 'space' as const, spaceId } : { kind: 'project' as const },
          },
        ]
      })
      if (kept.length === 0) {
        leftOut.push(scene.name)
        return []
      }
      return [
        {
          ...{ ...scene, id },
          triggers: triggers.filter(({ kind }) => kind !== 'condition'),
          actions: kept,
        },
      ]
    }),
    leftOut,
  }
}
