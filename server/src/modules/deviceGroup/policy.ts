import { createTree } from '@iot/shared/contract/tree'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { createMissingRefusal } from '../../core/refusal'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { space } from '../../tables/space'

type GroupRow = typeof deviceGroup.$inferSelect
export type MembershipRule = Pick<
  GroupRow,
  'kind' | 'deviceIds' | 'productIds' | 'spaceIds' | 'tags'
>

export const listProjectSpaces = (db: Db, projectId: number) =>
  db
    .select({ id: space.id, parentId: space.parentId, name: space.name })
    .from(space)
    .where(eq(space.projectId, projectId))
type Spaces = Awaited<ReturnType<typeof listProjectSpaces>>

/** All ids travel as one JSON parameter, because PostgreSQL allows at most 65,535 parameters in a statement. */
export const whereIdInList = (column: PgColumn, ids: string[]) =>
  sql`${column} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** Returns a SQL condition for the current members of a group; a rule without criteria has no members. */
export function whereMember(
  { kind, deviceIds, productIds, spaceIds, tags }: MembershipRule,
  spaces: Spaces,
) {
  if (kind === 'hand') return whereIdInList(device.id, deviceIds)
  const tree = createTree(spaces)
  const spaceIdsWithin = [...new Set(spaceIds.flatMap((id) => [...tree.within(id)]))]
  const conditions = [
    productIds.length > 0 ? whereIdInList(device.productId, productIds) : undefined,
    spaceIds.length > 0 ? whereIdInList(device.spaceId, spaceIdsWithin) : undefined,
    tags.length > 0
      ? sql`exists (select 1 from ${deviceTag} join jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as wanted(key text, value text)
          on wanted.key = ${deviceTag.key} and wanted.value = ${deviceTag.value}
          where ${deviceTag.projectId} = ${device.projectId} and ${deviceTag.deviceId} = ${device.id})`
      : undefined,
  ].filter((condition) => condition !== undefined)
  return conditions.length > 0 ? and(...conditions)! : sql`false`
}

/**
 * Returns a group of the project with the condition for its current members.
 * @throws "not found" if the group does not exist or belongs to another project
 */
export async function getGroupScope(
  db: Db,
  projectId: number,
  id: string,
): Promise<{ name: string; isMember: SQL }> {
  const [row] = await db
    .select()
    .from(deviceGroup)
    .where(and(eq(deviceGroup.projectId, projectId), eq(deviceGroup.id, id)))
  if (!row) throw createMissingRefusal('设备组')
  return { name: row.name, isMember: whereMember(row, await listProjectSpaces(db, projectId)) }
}

/** Returns the current member ids of groups by group id; unknown groups are left out. */
export async function getGroupMembers(db: Db, projectId: number, ids: string[]) {
  const members = new Map<string, ReadonlySet<string>>()
  if (ids.length === 0) return members
  const spaces = await listProjectSpaces(db, projectId)
  const rows = await db
    .select()
    .from(deviceGroup)
    .where(and(eq(deviceGroup.projectId, projectId), inArray(deviceGroup.id, ids)))
  for (const row of rows) {
    const memberRows = await db
      .select({ id: device.id })
      .from(device)
      .where(and(eq(device.projectId, projectId), whereMember(row, spaces)))
    members.set(row.id, new Set(memberRows.map(({ id }) => id)))
  }
  return members
}
