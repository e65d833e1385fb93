import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { requireRow, createMissingRefusal, createPermissionRefusal } from '../../../core/refusal'
import type { Context } from '../../../core/http/context'
import { device } from '../../../tables/device'
import { project } from '../../../tables/project'

/**
 * Asserts that the user may read devices.
 * @throws "not found" if the user cannot see the project, so that its existence is not revealed; otherwise "no
 * permission"
 */
export function assertCanView({ can, seesProject }: Context, projectId?: number) {
  if (projectId !== undefined && !seesProject(projectId)) throw createMissingRefusal('项目')
  if (!can(devicePermissions.view.permission)) throw createPermissionRefusal(devicePermissions.view)
}

/** Asserts that the project exists, for calls that would otherwise return an all-zero answer. */
export async function assertProjectExists(db: Db, projectId: number) {
  if ((await db.$count(project, eq(project.projectId, projectId))) === 0)
    throw createMissingRefusal('项目')
}

/**
 * Returns the row if the user may read devices of its project.
 * @throws "not found" if there is no row or the user cannot see its project, so that its existence is not revealed
 */
export function assertVisible<R extends { projectId: number }>(
  context: Context,
  row: R | undefined,
  title: string,
): R {
  const visibleRow = requireRow(row, title)
  if (!context.seesProject(visibleRow.projectId)) throw createMissingRefusal(title)
  assertCanView(context, visibleRow.projectId)
  return visibleRow
}

const maxListed = 100
type ReferenceColumn = typeof device.productId | typeof device.spaceId | typeof device.gatewayId

/** Lists devices that refer to these rows, for `references`: the first 100 by name, and the number of the rest. */
export async function listReferencingDevices(
  db: Db,
  column: ReferenceColumn,
  ids: string[],
  entity = '设备',
) {
  const targetId = sql<string>`${column}`
  const counts = await db
    .select({ to: targetId, count: sql<number>`count(*)`.mapWith(Number) })
    .from(device)
    .where(inArray(column, ids))
    .groupBy(column)
  const { id, name, projectId } = device
  const listedRows = await db
    .select({ to: targetId, id, name, projectId })
    .from(device)
    .where(inArray(column, ids))
    .orderBy(name, id)
    .limit(maxListed)
  const countRemaining = ({ to, count }: (typeof counts)[number]) =>
    count - listedRows.filter((row) => row.to === to).length
  return [
    ...listedRows.map((row) => ({ ...row, entity })),
    ...counts
      .filter((count) => countRemaining(count) > 0)
      .map((count) => ({ to: count.to, entity, id: '', name: '', count: countRemaining(count) })),
  ]
}
