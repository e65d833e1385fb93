import { createTree } from '@iot/shared/contract/tree'
import { and, inArray } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { requireRow } from '../../../core/refusal'
import { device } from '../../../tables/device'
import { getGroupScope, listProjectSpaces } from '../../deviceGroup/policy'

export type DeviceScope = { spaceId?: string; groupId?: string }

/**
 * Returns a SQL condition for the devices of a space with its descendants, or for the current members of a group; an
 * empty filter covers the whole project.
 * @throws "not found" if the space or group does not exist
 */
export async function whereInScope(db: Db, projectId: number, { spaceId, groupId }: DeviceScope) {
  const tree = spaceId && createTree(await listProjectSpaces(db, projectId))
  if (tree) requireRow(tree.get(spaceId), '空间')
  return and(
    tree ? inArray(device.spaceId, [...tree.within(spaceId!)]) : undefined,
    groupId ? (await getGroupScope(db, projectId, groupId)).isMember : undefined,
  )
}
