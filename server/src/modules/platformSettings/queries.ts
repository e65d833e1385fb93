import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { buildUpdateColumns, matchesRevision } from '../../core/db/rows'
import { platformSettings as table } from '../../tables/platformSettings'
import { role } from '../../tables/role'
import { secondFactor } from '../../tables/secondFactor'
import { userRole } from '../../tables/user'

export type SettingsRow = typeof table.$inferSelect
type SettingsChange = Partial<SettingsRow> & Pick<SettingsRow, 'id' | 'version'>

export const platformSettingsQueries = (db: Db) => ({
  async find() {
    const [row] = await db.select().from(table).orderBy(table.id).limit(1)
    return row
  },
  insert: (row: typeof table.$inferInsert) => db.insert(table).values(row),
  async update({ id, version, ...change }: SettingsChange, username: string) {
    const [row] = await db
      .update(table)
      .set({ ...change, ...buildUpdateColumns(table, username) })
      .where(matchesRevision(table, { id, version }))
      .returning()
    return row
  },
  /** Lists the roles with the number of their users, and of those without an active second factor. */
  listRoles: () =>
    db
      .select({
        id: role.id,
        name: role.name,
        users: count(userRole.userId),
        usersWithoutSecondFactor: sql<number>`(count(${userRole.userId}) - count(${secondFactor.userId}))::int`,
      })
      .from(role)
      .leftJoin(userRole, eq(userRole.roleId, role.id))
      .leftJoin(
        secondFactor,
        and(eq(secondFactor.userId, userRole.userId), isNotNull(secondFactor.since)),
      )
      .groupBy(role.id, role.name)
      .orderBy(role.id),
  findExistingRoleIds: async (ids: string[]) =>
    ids.length === 0
      ? []
      : (await db.select({ id: role.id }).from(role).where(inArray(role.id, ids))).map(
          ({ id }) => id,
        ),
})
