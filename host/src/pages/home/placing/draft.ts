import { lastDraft, readDraft } from '@iot/shared/session/drafts'
import type { SpaceTree } from '@iot/shared/plan/spaces'

const placing = 'placing'

/** Under which name places of a floor that are not saved are kept in this browser. */
export const draftOf = (floorId: string) => `${placing}/${floorId}`

/** Whether there are any, of whatever project. */
export const hasDraft = () => lastDraft(placing, String) !== undefined

/** The floor of a project whose devices were placed last and not saved. */
export function lastFloor(tree: SpaceTree) {
  const timeOf = (id: string) => readDraft(draftOf(id), String)?.time ?? 0
  const [last] = tree
    .floorsOf()
    .map((floor) => ({ floor, time: timeOf(floor.id) }))
    .sort((one, other) => other.time - one.time)
  return last && last.time > 0 ? last.floor : undefined
}
