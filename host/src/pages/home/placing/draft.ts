import { lastDraft, readDraft } from '@iot/shared/session/drafts'
import type { SpaceTree } from '@iot/shared/plan/spaces'

const placing = 'placing'

/** Returns the storage key for unsaved positions of a floor in this browser. */
export const draftOf = (floorId: string) => `${placing}/${floorId}`

/** Tells whether any project has unsaved positions. */
export const hasDraft = () => lastDraft(placing, String) !== undefined

/** Finds the floor of a project with the latest unsaved positions. */
export function lastFloor(tree: SpaceTree) {
  const timeOf = (id: string) => readDraft(draftOf(id), String)?.time ?? 0
  const [last] = tree
    .floorsOf()
    .map((floor) => ({ floor, time: timeOf(floor.id) }))
    .sort((one, other) => other.time - one.time)
  return last && last.time > 0 ? last.floor : undefined
}
