import { arrayOverlaps, asc, eq, inArray, isNull, and, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { calendar } from '../../tables/calendar'
import { device, product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { registrationRule } from '../../tables/registration'
import { scene } from '../../tables/scene'
import { space } from '../../tables/space'
import { user } from '../../tables/user'
import { view } from '../../tables/view'

/** Limit of names per kind, so that a project of thousands of devices is not read as a whole. */
const shown = 20

type Inside = PgTable & Record<'id' | 'name' | 'projectId', PgColumn>
type For = PgTable & Record<'id' | 'name' | 'projectIds', PgColumn>

/** Lists rows that belong to projects or refer to them; a project with any of them cannot be deleted. */
export async function inProjects(db: Db, numbers: string[]) {
  const ids = numbers.map(Number)
  const inside = async (entity: string, of: Inside, where = inArray(of.projectId, ids)) =>
    (
      await db
        .select({ id: of.id, name: of.name, projectId: of.projectId })
        .from(of as PgTable)
        .where(where)
        .orderBy(asc(of.id))
        .limit(shown)
    ).map(({ projectId, id, name }) => ({
      entity,
      to: String(projectId),
      id: String(id),
      name: String(name),
    }))
  const chosen = async (entity: string, of: For) =>
    (
      await db
        .select({ id: of.id, name: of.name, projectIds: of.projectIds })
        .from(of as PgTable)
        .where(arrayOverlaps(of.projectIds, ids))
        .orderBy(asc(of.id))
        .limit(shown)
    ).flatMap(({ projectIds, id, name }) =>
      (projectIds as number[])
        .filter((one) => ids.includes(one))
        .map((one) => ({ entity, to: String(one), id: String(id), name: String(name) })),
    )
  const rules = await db
    .select({
      entity: sql<string>`'自注册规则'`,
      to: sql<string>`${registrationRule.projectId}::text`,
      id: registrationRule.id,
      name: product.name,
    })
    .from(registrationRule)
    .innerJoin(product, eq(product.id, registrationRule.productId))
    .where(inArray(registrationRule.projectId, ids))
  return [
    ...(await inside('空间', space, and(inArray(space.projectId, ids), isNull(space.parentId)))),
    ...(await inside('设备', device)),
    ...(await inside('设备组', deviceGroup)),
    ...(await inside('场景', scene)),
    ...(await inside('日历', calendar)),
    ...(await chosen('用户', user)),
    ...(await chosen('视图', view)),
    ...rules,
  ]
}
