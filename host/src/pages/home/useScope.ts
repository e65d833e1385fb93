import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Scope } from '@iot/shared/contract/control/control.schema'
import type { GroupOption } from '@iot/shared/contract/device/deviceGroup.schema'
import type { PickedLights } from '@iot/shared/plan/floorPlan'
import type { LightFilter } from '@iot/shared/plan/lights'
import type { SpaceTree } from '@iot/shared/plan/spaces'

const projectScope = 'project'
/** These query parameters belong to one project. */
const projectParams = ['scope', 'group', 'floor', 'device', 'scene', 'command']

/** Removes spaces, groups and devices of another project from the address when the project changes. */
export function useProjectParamReset(projectId: number, tree?: SpaceTree) {
  const [, setParams] = useSearchParams()
  // The tree still holds the spaces of the previous project until the new ones are read.
  const isChanged = tree?.floorsOf().some((floor) => floor.projectId !== projectId) ?? false
  const removeProjectParams = useMemoizedFn(() =>
    setParams(
      (params) => new URLSearchParams([...params].filter(([key]) => !projectParams.includes(key))),
      { replace: true },
    ),
  )
  useEffect(() => {
    if (isChanged) removeProjectParams()
  }, [isChanged, projectId, removeProjectParams])
}

/**
 * Returns the one scope that is both shown and controlled: `?scope=<space>` or `project`, `?group=<group>`, or the
 * first floor if the address has none. Single devices selected on the plan are not part of the address.
 */
export function useScope(tree: SpaceTree, groups?: GroupOption[]) {
  const [params, setParams] = useSearchParams()
  const [pickedLights, setPickedLights] = useState<PickedLights>(new Map())
  const [lightFilter, setLightFilter] = useState<LightFilter>()
  // The default is the floor that was first at mount, so that floors added or removed later do not change the scope.
  const [firstId] = useState(() => tree.floorsOf()[0]?.id)
  const scopeParam =
    params.get('scope') ?? (params.has('group') ? null : params.get('floor')) ?? firstId
  const groupId = params.get('group')
  const group = groups?.find(({ id }) => id === groupId)
  const space = scopeParam === projectScope || groupId !== null ? undefined : tree.get(scopeParam)
  /** The scope no longer exists. No other scope replaces it until the operator chooses one. */
  const isLost = groupId !== null ? !group : scopeParam !== projectScope && !space
  const wallParam = params.get('wall')
  /** The wall display walks through the floors, which does not change the scope. */
  const floor = tree.path(tree.get(wallParam)?.id ?? space?.id).find(({ type }) => type === 'floor')

  const updateParams = (changes: Record<string, string | undefined>, replace = false) =>
    setParams(
      (params) => {
        const nextParams = new URLSearchParams(params)
        for (const [key, value] of Object.entries({ device: undefined, ...changes })) {
          if (value) nextParams.set(key, value)
          else nextParams.delete(key)
        }
        return nextParams
      },
      { replace },
    )
  const choose = (id?: string, device?: string) => {
    if (id !== space?.id) setPickedLights(new Map())
    updateParams({ scope: id ?? projectScope, group: undefined, floor: undefined, device })
  }
  const chooseGroup = (id?: string) => {
    setPickedLights(new Map())
    updateParams({ group: id, scope: undefined, floor: undefined })
  }

  const scope: Scope = group
    ? { kind: 'group', groupId: group.id }
    : space
      ? { kind: 'space', spaceId: space.id }
      : { kind: 'project' }
  return {
    scope,
    space,
    group,
    /** False while the address names a group that has not been read yet. */
    isKnown: !groupId || groups !== undefined,
    isLost,
    /** The buttons show this short name; `fullName` includes the parents. */
    name: group?.name ?? space?.name ?? '整个项目',
    fullName: group?.name ?? (space ? tree.nameOf(space.id) : '整个项目'),
    floor,
    /** Lamps of these floors are read one by one. */
    floorIds: floor ? [floor.id] : [],
    choose,
    /** Shows a floor on the wall display and replaces the history entry, so that Back leaves the wall. */
    tour: (floorId: string) => updateParams({ wall: floorId }, true),
    chooseGroup,
    picked: pickedLights,
    setPicked: setPickedLights,
    only: lightFilter,
    /** Toggles a filter; choosing the same one again shows all lamps. */
    toggleOnly: (next: LightFilter) =>
      setLightFilter((previous) => (previous === next ? undefined : next)),
    deviceId: params.get('device') ?? undefined,
    sceneId: params.get('scene') ?? undefined,
    forgetScene: () => updateParams({ scene: undefined }),
    isWall: wallParam !== null,
    showWall: (isShown: boolean) => updateParams({ wall: isShown ? '1' : undefined }),
  }
}
export type HomeScope = ReturnType<typeof useScope>
