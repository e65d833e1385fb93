import Skeleton from 'antd/es/skeleton'
import type { ReactNode } from 'react'
import type { GroupOption } from '@iot/shared/contract/device/deviceGroup.schema'
import { getCardTitle, getCardScope, getCardSpaceId } from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import type { LightStateCounts } from '@iot/shared/plan/lights'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { useGroupLights } from '../useGroups'
import type { Home } from '../useHome'

export type CardScope = ReturnType<typeof getCardScope>

/** Returns the display name of a card's scope; it is empty for the whole project. */
export function getScopeName(card: ViewCard, tree: SpaceTree, groups: GroupOption[] = []) {
  const scope = getCardScope(card.config)
  if (scope.kind !== 'group') return tree.nameOf(getCardSpaceId(card.config) ?? '')
  return groups.find(({ id }) => id === scope.groupId)?.name ?? '设备组'
}

/** Returns the display name of a card: its own title, or its kind and scope. */
export const getCardName = (card: ViewCard, tree: SpaceTree, groups?: GroupOption[]) =>
  card.title || [getCardTitle(card), getScopeName(card, tree, groups)].filter(Boolean).join(' · ')

/** Returns the query parameters that limit a request to the card's scope. */
export const toScopeParams = (scope: CardScope) => ({
  ...(scope.kind === 'space' && { spaceId: scope.spaceId }),
  ...(scope.kind === 'group' && { groupId: scope.groupId }),
})

type ScopeLightsProps = {
  scope: CardScope
  home: Home
  children: (lights: LightStateCounts) => ReactNode
}
/**
 * Provides the light counts of a card's scope. The counts of a group are read from the platform, which knows its
 * members.
 */
export function ScopeLights({ scope, home: { tree, counts }, children }: ScopeLightsProps) {
  if (scope.kind === 'group')
    return <GroupLights {...{ groupId: scope.groupId, counts, children }} />
  return children(sumLightCounts(tree, counts, scope.kind === 'space' ? scope.spaceId : undefined))
}

type GroupLightsProps = Pick<ScopeLightsProps, 'children'> & {
  groupId: string
  counts: Home['counts']
}
function GroupLights({ groupId, counts, children }: GroupLightsProps) {
  const { lights, error, refresh } = useGroupLights(groupId, counts)
  return (
    <>
      {error && <LoadErrorAlert why={error.message} hasRows={!!lights} onRetry={refresh} />}
      {lights
        ? children(lights)
        : !error && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
    </>
  )
}
