import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Scope } from '@iot/shared/contract/control'
import type { GroupOption } from '@iot/shared/contract/deviceGroup'
import type { Picked } from '@iot/shared/plan/floorPlan'
import type { Only } from '@iot/shared/plan/lights'
import type { SpaceTree } from '@iot/shared/plan/spaces'

const whole = 'project'
/** What of the address is of one project. */
const ofProject = ['scope', 'group', 'floor', 'device', 'scene']

/** Takes places, groups and devices of another project out of the address when the project is changed. */
export function useOwnAddress(projectId: number, tree?: SpaceTree) {
  const [, setParams] = useSearchParams()
  // Until its own are read, those of the project before are there.
  const isChanged = tree?.floorsOf().some((floor) => floor.projectId !== projectId) ?? false
  useEffect(() => {
    if (!isChanged) return
    setParams(
      (before) => new URLSearchParams([...before].filter(([key]) => !ofProject.includes(key))),
      { replace: true },
    )
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each change; `setParams` is another for each address.
  }, [isChanged, projectId])
}

/**
 * The one scope: what is looked at is what the actions are for. `?scope=<space>`, or `project`; `?group=<group>`; the first
 * floor where the address names none. Single devices picked on the plan are not in the address.
 */
export function useScope(tree: SpaceTree, groups?: GroupOption[]) {
  const [params, setParams] = useSearchParams()
  const [picked, setPicked] = useState<Picked>(new Map())
  const [only, setOnly] = useState<Only>()
  // Where the address names none, the first floor of when one came: floors that come and go later move nobody.
  const [firstId] = useState(() => tree.floorsOf()[0]?.id)
  const asked = params.get('scope') ?? (params.has('group') ? null : params.get('floor')) ?? firstId
  const groupId = params.get('group')
  const group = groups?.find(({ id }) => id === groupId)
  const space = asked === whole || groupId !== null ? undefined : tree.get(asked)
  /** What is looked at is no more. Nothing takes its place until somebody chooses it. */
  const isLost = groupId !== null ? !group : asked !== whole && !space
  const wall = params.get('wall')
  /** The wall goes from floor to floor by itself, which changes the scope of nothing. */
  const floor = tree.path(tree.get(wall)?.id ?? space?.id).find(({ type }) => type === 'floor')

  const go = (next: Record<string, string | undefined>, replace = false) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [key, value] of Object.entries({ device: undefined, ...next })) {
          if (value) after.set(key, value)
          else after.delete(key)
        }
        return after
      },
      { replace },
    )
  const choose = (id?: string, device?: string) => {
    if (id !== space?.id) setPicked(new Map())
    go({ scope: id ?? whole, group: undefined, floor: undefined, device })
  }
  const chooseGroup = (id?: string) => {
    setPicked(new Map())
    go({ group: id, scope: undefined, floor: undefined })
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
    /** Otherwise the address names a group that is still to be read. */
    isKnown: !groupId || groups !== undefined,
    isLost,
    /** As the buttons say it, and in full. */
    name: group?.name ?? space?.name ?? '整个项目',
    fullName: group?.name ?? (space ? tree.nameOf(space.id) : '整个项目'),
    floor,
    /** What of the project is read lamp by lamp. */
    floorIds: floor ? [floor.id] : [],
    choose,
    /** Shows a floor on the wall; Back does not lead through all that was shown. */
    tour: (floorId: string) => go({ wall: floorId }, true),
    chooseGroup,
    picked,
    setPicked,
    only,
    /** A second press shows all again. */
    toggleOnly: (next: Only) => setOnly((before) => (before === next ? undefined : next)),
    deviceId: params.get('device') ?? undefined,
    sceneId: params.get('scene') ?? undefined,
    forgetScene: () => go({ scene: undefined }),
    isWall: wall !== null,
    showWall: (isShown: boolean) => go({ wall: isShown ? '1' : undefined }),
  }
}
export type HomeScope = ReturnType<typeof useScope>
