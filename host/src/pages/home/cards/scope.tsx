import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import type { GroupOption } from '@iot/shared/contract/deviceGroup'
import { cardTitle, scopeOfCard, spaceOfCard, type ViewCard } from '@iot/shared/contract/viewCard'
import type { Counts } from '@iot/shared/plan/lights'
import { lightsWithin, type SpaceTree } from '@iot/shared/plan/spaces'
import { FailedLine } from '@iot/shared/ui/usePage'
import { useGroupLights } from '../useGroups'
import type { Home } from '../useHome'

export type CardScope = ReturnType<typeof scopeOfCard>

/** Returns the display name of a card's scope; it is empty for the whole project. */
export function placeOf(card: ViewCard, tree: SpaceTree, groups: GroupOption[] = []) {
  const scope = scopeOfCard(card.config)
  if (scope.kind !== 'group') return tree.nameOf(spaceOfCard(card.config) ?? '')
  return groups.find(({ id }) => id === scope.groupId)?.name ?? '设备组'
}

/** Returns the display name of a card: its own title, or its kind and scope. */
export const nameOf = (card: ViewCard, tree: SpaceTree, groups?: GroupOption[]) =>
  card.title || [cardTitle(card), placeOf(card, tree, groups)].filter(Boolean).join(' · ')

/** Returns the query parameters that limit a request to the card's scope. */
export const amongOf = (scope: CardScope) => ({
  ...(scope.kind === 'space' && { spaceId: scope.spaceId }),
  ...(scope.kind === 'group' && { groupId: scope.groupId }),
})

type LightsProps = { scope: CardScope; home: Home; children: (lights: Counts) => ReactNode }
/**
 * Provides the light counts of a card's scope. The counts of a group are read from the platform, which knows its
 * members.
 */
export function Lights({ scope, home: { tree, counts }, children }: LightsProps) {
  if (scope.kind === 'group')
    return <LightsOfGroup {...{ groupId: scope.groupId, counts, children }} />
  return children(lightsWithin(tree, counts, scope.kind === 'space' ? scope.spaceId : undefined))
}

type LightsOfGroupProps = Pick<LightsProps, 'children'> & {
  groupId: string
  counts: Home['counts']
}
function LightsOfGroup({ groupId, counts, children }: LightsOfGroupProps) {
  const { lights, error, refresh } = useGroupLights(groupId, counts)
  return (
    <>
      {error && <FailedLine why={error.message} hasRows={!!lights} onRetry={refresh} />}
      {lights
        ? children(lights)
        : !error && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
    </>
  )
}
