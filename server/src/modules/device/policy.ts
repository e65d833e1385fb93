import { rights } from '@iot/shared/contract/homeRights'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { found, missing, noRight } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { device } from '../../tables/device'
import { project } from '../../tables/project'

/** Reading devices of a project. Who may not see it does not learn that it exists. */
export function mustView({ can, seesProject }: Context, projectId?: number) {
  if (projectId !== undefined && !seesProject(projectId)) throw missing('项目')
  if (!can(rights.view.permission)) throw noRight(rights.view)
}

/** Of a call whose answer is not empty where nothing is. */
export async function mustExist(db: Db, projectId: number) {
  if ((await db.$count(project, eq(project.projectId, projectId))) === 0) throw missing('项目')
}

/** The row, if one may read devices of its project; otherwise one does not learn that it exists. */
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

/** Devices that name one of these rows, for `references`: the first by name, and how many more there are. */
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
