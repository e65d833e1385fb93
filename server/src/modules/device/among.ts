import { treeOf } from '@iot/shared/contract/tree'
import { and, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { found } from '../../core/refusal'
import { device } from '../../tables/device'
import { groupAsScope, groupSpaces } from '../deviceGroup/policy'

export type Among = { spaceId?: string; groupId?: string }

/** The devices of a space with all below it, or of a group as it is now; without either of the whole project. */
export async function among(db: Db, projectId: number, { spaceId, groupId }: Among) {
  const tree = spaceId && treeOf(await groupSpaces(db, projectId))
  if (tree) found(tree.get(spaceId), '空间')
  return and(
    tree ? inArray(device.spaceId, [...tree.within(spaceId!)]) : undefined,
    groupId ? (await groupAsScope(db, projectId, groupId)).isMember : undefined,
  )
}
