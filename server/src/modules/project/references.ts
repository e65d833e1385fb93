import { arrayOverlaps, asc, eq, inArray, isNull, and, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { alarmRule } from '../../tables/alarm'
import { calendar } from '../../tables/calendar'
import { device, product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { notificationPolicy } from '../../tables/notification'
import { registrationRule } from '../../tables/registration'
import { scene } from '../../tables/scene'
import { space } from '../../tables/space'
import { user } from '../../tables/user'
import { view } from '../../tables/view'

/** Limit of names per kind, so that a project of thousands of devices is not read as a whole. */
const maxNamesPerKind = 20

type ProjectTable = PgTable & Record<'id' | 'name' | 'projectId', PgColumn>
type MultiProjectTable = PgTable & Record<'id' | 'name' | 'projectIds', PgColumn>

/** Lists rows that belong to projects or refer to them; a project with any of them cannot be deleted. */
export async function findProjectReferences(db: Db, projectNumbers: string[]) {
  const ids = projectNumbers.map(Number)
  const listOwned = async (
    entity: string,
    table: ProjectTable,
    where = inArray(table.projectId, ids),
  ) =>
    (
      await db
        .select({ id: table.id, name: table.name, projectId: table.projectId })
        .from(table as PgTable)
        .where(where)
        .orderBy(asc(table.id))
        .limit(maxNamesPerKind)
    ).map(({ projectId, id, name }) => ({
      entity,
      to: String(projectId),
      id: String(id),
      name: String(name),
    }))
  const listAssigned = async (entity: string, table: MultiProjectTable) =>
    (
      await db
        .select({ id: table.id, name: table.name, projectIds: table.projectIds })
        .from(table as PgTable)
        .where(arrayOverlaps(table.projectIds, ids))
        .orderBy(asc(table.id))
        .limit(maxNamesPerKind)
    ).flatMap(({ projectIds, id, name }) =>
      (projectIds as number[])
        .filter((projectId) => ids.includes(projectId))
        .map((projectId) => ({
          entity,
          to: String(projectId),
          id: String(id),
          name: String(name),
        })),
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
    ...(await listOwned('空间', space, and(inArray(space.projectId, ids), isNull(space.parentId)))),
    ...(await listOwned('设备', device)),
    ...(await listOwned('设备组', deviceGroup)),
    ...(await listOwned('场景', scene)),
    ...(await listOwned('日历', calendar)),
    ...(await listOwned('告警规则', alarmRule)),
    ...(await listAssigned('用户', user)),
    ...(await listAssigned('视图', view)),
    ...(await listAssigned('通知策略', notificationPolicy)),
    ...rules,
  ]
}
