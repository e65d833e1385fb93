import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { treeQueries } from '../../core/db/treeQueries'
import { versionedQueries } from '../../core/db/versionedQueries'
import { role, roleMenu } from '../../tables/role'
import { menu as table } from '../../tables/menu'

export type MenuRow = typeof table.$inferSelect

export const menuQueries = (db: Db) => ({
  ...versionedQueries(db, table),
  ...treeQueries(db, table),
  async isRouteNameTaken(routeName: string, exceptId?: string) {
    return (
      routeName !== '' &&
      (await db.$count(
        table,
        and(
          eq(sql`lower(${table.routeName})`, routeName.toLowerCase()),
          exceptId ? ne(table.id, exceptId) : undefined,
        ),
      )) > 0
    )
  },
  findUsingIcons: (ids: string[]) =>
    db
      .select({ to: table.icon, entity: sql<string>`'菜单'`, id: table.id, name: table.name })
      .from(table)
      .where(inArray(table.icon, ids))
      .orderBy(table.id),
  findRole: async (id: string) =>
    (await db.select({ id: role.id }).from(role).where(eq(role.id, id)))[0],
  findRolesHolding: (id: string) =>
    db
      .select({ entity: sql<string>`'角色'`, id: role.id, name: role.name })
      .from(role)
      .innerJoin(roleMenu, eq(roleMenu.roleId, role.id))
      .where(eq(roleMenu.menuId, id)),
})
