import type { RoleChange, RoleDraft } from '@iot/shared/contract/access/role.schema'
import { and, arrayContained, arrayContains, asc, eq, not, notExists, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { matchesRevision, buildUpdateColumns } from '../../core/db/rows'
import { menu } from '../../tables/menu'
import { platformSettings } from '../../tables/platformSettings'
import { user, userRole } from '../../tables/user'
import { role as table, roleMenu } from '../../tables/role'

export const roleQueries = (db: Db) => {
  const addMenus = async (rows: (typeof table.$inferSelect)[]) => {
    const roleMenus = await db.select().from(roleMenu)
    const users = await db
      .select({ roleId: userRole.roleId, count: sql<number>`count(*)::int` })
      .from(userRole)
      .groupBy(userRole.roleId)
    const allMenuIds = rows.some((row) => row.everything)
      ? (await db.select({ id: menu.id }).from(menu)).map(({ id }) => id)
      : []
    return rows.map((row) => ({
      ...row,
      menuIds: row.everything
        ? allMenuIds
        : roleMenus.filter(({ roleId }) => roleId === row.id).map(({ menuId }) => menuId),
      userCount: users.find(({ roleId }) => roleId === row.id)?.count ?? 0,
    }))
  }
  return {
    list: async () => addMenus(await db.select().from(table).orderBy(asc(table.id))),
    get: async (id: string) =>
      (await addMenus(await db.select().from(table).where(eq(table.id, id))))[0],
    menus: () =>
      db
        .select({
          id: menu.id,
          parentId: menu.parentId,
          type: menu.type,
          name: menu.name,
          permission: menu.permission,
        })
        .from(menu)
        .orderBy(menu.sort, menu.id),
    async insert({ menuIds: _, ...draft }: z.output<typeof RoleDraft>, actor: string) {
      const [row] = await db
        .insert(table)
        .values({ ...draft, builtin: false, everything: false, createBy: actor, updateBy: actor })
        .returning()
      return row!
    },
    async update(
      { id, version, menuIds: _, ...change }: z.output<typeof RoleChange>,
      actor: string,
    ) {
      const [row] = await db
        .update(table)
        .set({ ...change, ...buildUpdateColumns(table, actor) })
        .where(matchesRevision(table, { id, version }))
        .returning()
      return row
    },
    async setMenus(roleId: string, menuIds: string[]) {
      await db.delete(roleMenu).where(eq(roleMenu.roleId, roleId))
      if (menuIds.length)
        await db.insert(roleMenu).values(menuIds.map((menuId) => ({ roleId, menuId })))
    },
    remove: (id: string) => db.delete(table).where(eq(table.id, id)),
    /** Returns true if the platform settings require a second factor of the role. */
    requiresSecondFactor: async (id: string) =>
      (await db.$count(
        platformSettings,
        arrayContains(platformSettings.secondFactorRoleIds, [id]),
      )) > 0,
    /** Returns whether a user who works in other projects holds the role. */
    isUsedInOtherProjects: async (id: string, projectIds: number[]) =>
      (
        await db
          .select({ id: user.id })
          .from(user)
          .innerJoin(userRole, eq(userRole.userId, user.id))
          .where(
            and(
              eq(userRole.roleId, id),
              projectIds.length > 0
                ? or(
                    eq(sql`cardinality(${user.projectIds})`, 0),
                    not(arrayContained(user.projectIds, projectIds)),
                  )
                : undefined,
            ),
          )
          .limit(1)
      ).length > 0,
    /** Counts users who are assigned to all projects but hold no role that shows them. */
    countUsersWithoutProjects: () => {
      const allProjectRoles = db
        .select({ one: sql`1` })
        .from(userRole)
        .innerJoin(table, eq(table.id, userRole.roleId))
        .where(and(eq(userRole.userId, user.id), eq(table.dataScope, 'all')))
      return db.$count(user, and(eq(user.allProjects, true), notExists(allProjectRoles)))
    },
    findUsers: (id: string) =>
      db
        .select({ entity: sql<string>`'用户'`, id: user.id, name: user.name })
        .from(user)
        .innerJoin(userRole, eq(userRole.userId, user.id))
        .where(eq(userRole.roleId, id)),
  }
}
