import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { useFloors } from '@iot/shared/plan/useBuilding'
import { useGroups, type Groups } from '../useGroups'
import { useHome, type BuildingProps, type Home } from '../useHome'

/** Reads the data for the cards of a view; floors are read only if a card shows them. */
export function useCardsData(buildingProps: BuildingProps, cards: ViewCard[]): CardsData {
  const home = useHome(buildingProps)
  const floorIds = cards
    .flatMap(({ config }) => (config.kind === 'plan' ? [config.spaceId] : []))
    .filter((id) => buildingProps.tree.get(id))
  const uniqueFloorIds = [...new Set(floorIds)].sort()
  const floors = useFloors(buildingProps.projectId, uniqueFloorIds, buildingProps.building.modes)
  const groups = useGroups(buildingProps.projectId)
  return { home, floors, groups }
}
export type CardsData = { home: Home; floors: ReturnType<typeof useFloors>; groups: Groups }
