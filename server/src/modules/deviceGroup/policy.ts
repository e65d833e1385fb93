import { treeOf } from '@iot/shared/contract/tree'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { missing } from '../../core/refusal'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { space } from '../../tables/space'

type GroupRow = typeof deviceGroup.$inferSelect
export type Means = Pick<GroupRow, 'kind' | 'deviceIds' | 'productIds' | 'spaceIds' | 'tags'>

export const groupSpaces = (db: Db, projectId: number) =>
  db
    .select({ id: space.id, parentId: space.parentId, name: space.name })
    .from(space)
    .where(eq(space.projectId, projectId))
type Spaces = Awaited<ReturnType<typeof groupSpaces>>

/** All ids travel as one JSON parameter, because PostgreSQL allows at most 65,535 parameters in a statement. */
export const isAmong = (column: PgColumn, ids: string[]) =>
  sql`${column} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** Returns a SQL condition for the current members of a group; a rule without criteria has no members. */
export function isMember({ kind, deviceIds, productIds, spaceIds, tags }: Means, spaces: Spaces) {
  if (kind === 'hand') return isAmong(device.id, deviceIds)
  const tree = treeOf(spaces)
  const within = [...new Set(spaceIds.flatMap((id) => [...tree.within(id)]))]
  const parts = [
    productIds.length > 0 ? isAmong(device.productId, productIds) : undefined,
    spaceIds.length > 0 ? isAmong(device.spaceId, within) : undefined,
    tags.length > 0
      ? sql`exists (select 1 from ${deviceTag} join jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as wanted(key text, value text)
          on wanted.key = ${deviceTag.key} and wanted.value = ${deviceTag.value}
          where ${deviceTag.projectId} = ${device.projectId} and ${deviceTag.deviceId} = ${device.id})`
      : undefined,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? and(...parts)! : sql`false`
}

/**
 * Returns a group of the project with the condition for its current members.
 * @throws "not found" if the group does not exist or belongs to another project
 */
export async function groupAsScope(
  db: Db,
  projectId: number,
  id: string,
): Promise<{ name: string; isMember: SQL }> {
  const [row] = await db
    .select()
    .from(deviceGroup)
    .where(and(eq(deviceGroup.projectId, projectId), eq(deviceGroup.id, id)))
  if (!row) throw missing('设备组')
  return { name: row.name, isMember: isMember(row, await groupSpaces(db, projectId)) }
}

/** Returns the current member ids of groups by group id; unknown groups are left out. */
export async function membersOf(db: Db, projectId: number, ids: string[]) {
  const members = new Map<string, ReadonlySet<string>>()
  if (ids.length === 0) return members
  const spaces = await groupSpaces(db, projectId)
  const rows = await db
    .select()
    .from(deviceGroup)
    .where(and(eq(deviceGroup.projectId, projectId), inArray(deviceGroup.id, ids)))
  for (const row of rows) {
    const found = await db
      .select({ id: device.id })
      .from(device)
      .where(and(eq(device.projectId, projectId), isMember(row, spaces)))
    members.set(row.id, new Set(found.map(({ id }) => id)))
  }
  return members
}
