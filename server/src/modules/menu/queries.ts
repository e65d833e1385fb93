import type { MenuDraft } from '@iot/shared/contract/menu'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { asRead, stamp } from '../../core/db/rows'
import { role, roleMenu } from '../../tables/role'
import { menu as table } from '../../tables/menu'

type Draft = z.output<typeof MenuDraft>
export type MenuRow = typeof table.$inferSelect

export const menuQueries = (db: Db) => ({
  all: () => db.select().from(table).orderBy(asc(table.sort), asc(table.id)),
  async get(id: string) {
    const [row] = await db.select().from(table).where(eq(table.id, id))
    return row
  },
  async routeNameTaken(routeName: string, exceptId?: string) {
    return (
      routeName !== '' &&
      (await db.$count(
        table,
        and(eq(table.routeName, routeName), exceptId ? ne(table.id, exceptId) : undefined),
      )) > 0
    )
  },
  async insert(draft: Draft, by: string) {
    const [row] = await db
      .insert(table)
      .values({ ...draft, builtin: false, createBy: by, updateBy: by })
      .returning()
    return row!
  },
  async update(
    { id, version, force, ...draft }: Draft & { id: string; version: number; force?: boolean },
    by: string,
  ) {
    const [row] = await db
      .update(table)
      .set({ ...draft, ...stamp(table, by) })
      .where(asRead(table, { id, version, force }))
      .returning()
    return row
  },
  place: (id: string, parentId: string | null, sort: number, by: string) =>
    db
      .update(table)
      .set({ parentId, sort, ...stamp(table, by) })
      .where(eq(table.id, id)),
  remove: (id: string) => db.delete(table).where(eq(table.id, id)),
  rolesHolding: (id: string) =>
    db
      .select({ entity: sql<string>`'角色'`, id: role.id, name: role.name })
      .from(role)
      .innerJoin(roleMenu, eq(roleMenu.roleId, role.id))
      .where(eq(roleMenu.menuId, id)),
})
