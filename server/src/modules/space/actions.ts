import { ManagedSpace } from '@iot/shared/contract/project/space.schema'
import {
  validateSpaceParent,
  spaceTypeText,
  type SpaceType,
} from '@iot/shared/contract/project/spaceTree'
import { formatTreePath, type Tree } from '@iot/shared/contract/tree'
import { requireRow, createMissingRefusal, createFieldRefusal } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context, WriteCallback } from '../../core/http/context'
import { getPlanUrl } from './policy'
import type { spaceQueries, SpaceRow } from './queries'

export type SpaceQueries = ReturnType<typeof spaceQueries>

export const entity = '空间'
export const toAuditEntry = createChangeDescriber(
  entity,
  ManagedSpace.pick({ name: true, type: true, plan: true, metres: true }).extend({
    place: ManagedSpace.shape.parentId,
  }),
  { type: (type) => spaceTypeText[type as SpaceType] },
)

export function assertProjectVisible(projectId: number, { seesProject }: Context) {
  if (!seesProject(projectId)) throw createMissingRefusal('项目')
}

/**
 * Returns the space.
 * @throws "not found" if it does not exist or the user cannot see its project
 */
export async function getVisibleSpace(
  id: string,
  { seesProject }: Context,
  rows: SpaceQueries,
): Promise<SpaceRow> {
  const row = requireRow(await rows.get(id), entity)
  if (!seesProject(row.projectId)) throw createMissingRefusal(entity)
  return row
}

export const findFloorId = (tree: Tree<SpaceRow>, id: string) =>
  tree.path(id).find(({ type }) => type === 'floor')?.id ?? null

/** Returns the fields of a space for the audit log. */
export const toAuditFields = (tree: Tree<SpaceRow>, row: SpaceRow) => ({
  ...row,
  plan: getPlanUrl(row) ? '有' : '',
  place: formatTreePath(tree, row.parentId),
})

/** Creates a space in the transaction of the caller. */
export const writeNewSpace =
  (
    draft: Pick<SpaceRow, 'projectId' | 'parentId' | 'type' | 'name'>,
    tree: Tree<SpaceRow>,
    actor: string,
  ): WriteCallback<typeof spaceQueries, SpaceRow> =>
  async (rows, recordAudit) => {
    assertPlaceIsAllowed(tree, draft, draft.parentId)
    assertNameIsFree(tree, draft.parentId, draft.name)
    const row = await rows.add(draft, actor)
    recordAudit(toAuditEntry(row, { after: toAuditFields(tree, row) }))
    return row
  }

export function assertPlaceIsAllowed(
  tree: Tree<SpaceRow>,
  space: { type: SpaceType; id?: string },
  parentId: string | null,
) {
  const refusalReason = validateSpaceParent(tree, space, parentId)
  if (refusalReason) throw createFieldRefusal('parentId', refusalReason)
}

export function assertNameIsFree(
  tree: Tree<SpaceRow>,
  parentId: string | null,
  name: string,
  id?: string,
) {
  if (tree.children(parentId).some((row) => row.name === name && row.id !== id))
    throw createFieldRefusal('name', `那里已有“${name}”`)
}
