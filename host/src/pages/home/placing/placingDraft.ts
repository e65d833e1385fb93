import { findNewestDraft, readDraft } from '@iot/shared/session/drafts'
import type { SpaceTree } from '@iot/shared/plan/spaces'

const draftPrefix = 'placing'

/** Returns the storage key for unsaved positions of a floor in this browser. */
export const getPlacingDraftKey = (floorId: string) => `${draftPrefix}/${floorId}`

/** Tells whether any project has unsaved positions. */
export const hasPlacingDraft = () => findNewestDraft(draftPrefix, String) !== undefined

/** Finds the floor of a project with the latest unsaved positions. */
export function findLastDraftFloor(tree: SpaceTree) {
  const getDraftTime = (id: string) => readDraft(getPlacingDraftKey(id), String)?.time ?? 0
  const [latest] = tree
    .floorsOf()
    .map((floor) => ({ floor, time: getDraftTime(floor.id) }))
    .sort((a, b) => b.time - a.time)
  return latest && latest.time > 0 ? latest.floor : undefined
}
