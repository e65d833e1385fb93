import type { Problem } from '@iot/shared/contract/device/device.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'

export const getPlaceName = ({ spaceId, floorId }: Problem, tree: SpaceTree) =>
  tree.nameOf(spaceId || floorId || '')
