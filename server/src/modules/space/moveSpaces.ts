import type { spaceSchemas } from '@iot/shared/contract/project/space.schema'
import { validateSpaceParent } from '@iot/shared/contract/project/spaceTree'
import { createTree, type Tree } from '@iot/shared/contract/tree'
import { requireRow } from '../../core/refusal'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import type { Handlers } from '../../core/http/serve'
import {
  assertNameIsFree,
  assertPlaceIsAllowed,
  assertProjectVisible,
  entity,
  findFloorId,
  getVisibleSpace,
  toAuditEntry,
  toAuditFields,
} from './actions'
import { spaceQueries, type SpaceRow } from './queries'

/** Handlers that move spaces with their devices. */
export const moveHandlers: Pick<Handlers<typeof spaceSchemas>, 'move' | 'moveMany'> = {
  move: ({ id, parentId, index }, context) =>
    context.write(spaceQueries, async (rows, recordAudit) => {
      const { projectId } = await getVisibleSpace(id, context, rows)
      const { username } = context.user
      const treeQueries = rows.treeInProject(projectId)
      const tree = createTree(await treeQueries.lockAll())
      const previousSpace = requireRow(tree.get(id), entity)
      assertPlaceIsAllowed(tree, previousSpace, parentId)
      assertNameIsFree(tree, parentId, previousSpace.name, id)
      await treeQueries.moveRow(tree, id, { parentId, index }, username)
      const treeAfter = createTree(await treeQueries.all())
      await rows.moveDevicesToFloor(
        projectId,
        [...tree.within(id)],
        findFloorId(treeAfter, id),
        username,
      )
      recordAudit(
        toAuditEntry(previousSpace, {
          before: toAuditFields(tree, previousSpace),
          after: toAuditFields(treeAfter, treeAfter.get(id)!),
        }),
      )
      return null
    }),
  async moveMany({ projectId, ids, parentId }, context) {
    assertProjectVisible(projectId, context)
    return context.write(spaceQueries, async (rows, recordAudit) => {
      const { username } = context.user
      const treeQueries = rows.treeInProject(projectId)
      const tree = createTree(await treeQueries.lockAll())
      const list = ids.flatMap((id) => tree.get(id) ?? [])
      const { movingIds, refusalById } = planMoves(tree, ids, parentId)
      const refusal = ({ id }: SpaceRow) => refusalById.get(id)
      return applyPerRow(ids, list, refusal, async (all) => {
        const rowsToMove = all.filter(({ id }) => movingIds.has(id))
        await rows.append(projectId, getIds(rowsToMove), parentId, username)
        const treeAfter = createTree(await treeQueries.all())
        for (const { id } of rowsToMove) {
          await rows.moveDevicesToFloor(
            projectId,
            [...treeAfter.within(id)],
            findFloorId(treeAfter, id),
            username,
          )
          const [previousSpace, movedSpace] = [tree.get(id)!, treeAfter.get(id)!]
          recordAudit(
            toAuditEntry(previousSpace, {
              before: toAuditFields(tree, previousSpace),
              after: toAuditFields(treeAfter, movedSpace),
            }),
          )
        }
      })
    })
  },
}

/** Plans which of the spaces move below the parent, and why the others do not. */
function planMoves(tree: Tree<SpaceRow>, ids: string[], parentId: string | null) {
  const names = new Set(tree.children(parentId).map(({ name }) => name))
  const getRefusal = (row: SpaceRow) => {
    const placeRefusal = validateSpaceParent(tree, row, parentId)
    if (placeRefusal) return placeRefusal
    if (row.parentId === parentId) return false
    if (names.has(row.name)) return `那里已有“${row.name}”`
    names.add(row.name)
    return false
  }
  const requestedIds = new Set(ids)
  const movingIds = new Set<string>()
  const refusalById = new Map<string, string | false>()
  for (const row of tree.ordered()) {
    if (!requestedIds.has(row.id)) continue
    // A descendant of another moved space moves with it.
    if (tree.path(row.parentId).some(({ id }) => movingIds.has(id))) continue
    const reason = getRefusal(row)
    refusalById.set(row.id, reason)
    if (!reason) movingIds.add(row.id)
  }
  return { movingIds, refusalById }
}
