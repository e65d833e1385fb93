import type { ViewCard } from '@iot/shared/contract/viewCard'
import { useFloors } from '@iot/shared/plan/useBuilding'
import { useGroups, type Groups } from '../useGroups'
import { useHome, type BuildingProps, type Home } from '../useHome'

/** Reads the data for the cards of a view; floors are read only if a card shows them. */
export function useCards(of: BuildingProps, cards: ViewCard[]): Shown {
  const home = useHome(of)
  const floorIds = cards
    .flatMap(({ config }) => (config.kind === 'plan' ? [config.spaceId] : []))
    .filter((id) => of.tree.get(id))
  const wanted = [...new Set(floorIds)].sort()
  const floors = useFloors(of.projectId, wanted, of.building.modes)
  const groups = useGroups(of.projectId)
  return { home, floors, groups }
}
export type Shown = { home: Home; floors: ReturnType<typeof useFloors>; groups: Groups }
