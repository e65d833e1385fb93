import { rights } from '@iot/shared/contract/homeRights'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { found, missing, noRight } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { device } from '../../tables/device'
import { project } from '../../tables/project'

/**
 * Asserts that the user may read devices.
 * @throws "not found" if the user cannot see the project, so that its existence is not revealed; otherwise "no
 * permission"
 */
export function mustView({ can, seesProject }: Context, projectId?: number) {
  if (projectId !== undefined && !seesProject(projectId)) throw missing('项目')
  if (!can(rights.view.permission)) throw noRight(rights.view)
}

/** Asserts that the project exists, for calls that would otherwise return an all-zero answer. */
export async function mustExist(db: Db, projectId: number) {
  if ((await db.$count(project, eq(project.projectId, projectId))) === 0) throw missing('项目')
}

/**
 * Returns the row if the user may read devices of its project.
 * @throws "not found" if there is no row or the user cannot see its project, so that its existence is not revealed
 */
export function mustSee<R extends { projectId: number }>(
  context: Context,
  row: R | undefined,
  title: string,
): R {
  const one = found(row, title)
  if (!context.seesProject(one.projectId)) throw missing(title)
  mustView(context, one.projectId)
  return one
}

const shown = 100
type Naming = typeof device.productId | typeof device.spaceId | typeof device.gatewayId

/** Lists devices that refer to these rows, for `references`: the first 100 by name, and the number of the rest. */
export async function devicesNaming(db: Db, column: Naming, ids: string[], entity = '设备') {
  const to = sql<string>`${column}`
  const counts = await db
    .select({ to, count: sql<number>`count(*)`.mapWith(Number) })
    .from(device)
    .where(inArray(column, ids))
    .groupBy(column)
  const { id, name, projectId } = device
  const named = await db
    .select({ to, id, name, projectId })
    .from(device)
    .where(inArray(column, ids))
    .orderBy(name, id)
    .limit(shown)
  const left = ({ to, count }: (typeof counts)[number]) =>
    count - named.filter((one) => one.to === to).length
  return [
    ...named.map((one) => ({ ...one, entity })),
    ...counts
      .filter((one) => left(one) > 0)
      .map((one) => ({ to: one.to, entity, id: '', name: '', count: left(one) })),
  ]
}
