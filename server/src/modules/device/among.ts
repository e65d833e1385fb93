import { treeOf } from '@iot/shared/contract/tree'
import { and, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { found } from '../../core/refusal'
import { device } from '../../tables/device'
import { groupAsScope, groupSpaces } from '../deviceGroup/policy'

export type Among = { spaceId?: string; groupId?: string }

/**
 * Returns a SQL condition for the devices of a space with its descendants, or for the current members of a group; an
 * empty filter covers the whole project.
 * @throws "not found" if the space or group does not exist
 */
export async function among(db: Db, projectId: number, { spaceId, groupId }: Among) {
  const tree = spaceId && treeOf(await groupSpaces(db, projectId))
  if (tree) found(tree.get(spaceId), '空间')
  return and(
    tree ? inArray(device.spaceId, [...tree.within(spaceId!)]) : undefined,
    groupId ? (await groupAsScope(db, projectId, groupId)).isMember : undefined,
  )
}
