import type { DeviceRight } from '@iot/shared/contract/homeRights'
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'
import { menu } from './menu'

export const role = pgTable('role', {
  ...rowColumns(),
  name: text().notNull().unique(),
  code: text().notNull().unique(),
  description: text().notNull(),
  dataScope: text().$type<'all' | 'assigned'>().notNull(),
  deviceRights: text().array().$type<DeviceRight[]>().notNull(),
  builtin: boolean().notNull(),
  /** Holds every permission, also those of menus to come. */
  everything: boolean().notNull(),
})

export const roleMenu = pgTable(
  'role_menu',
  {
    roleId: uuid()
      .notNull()
      .references(() => role.id, { onDelete: 'cascade' }),
    menuId: uuid()
      .notNull()
      .references(() => menu.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.roleId, table.menuId] }),
    index('role_menu_menu').on(table.menuId),
  ],
)

/** What a built-in role was given once, whether it holds it still: what an administrator took away is not given again. */
export const roleOffer = pgTable(
  'role_offer',
  {
    roleId: uuid()
      .notNull()
      .references(() => role.id, { onDelete: 'cascade' }),
    menuId: uuid()
      .notNull()
      .references(() => menu.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.roleId, table.menuId] })],
)

/** One row, raised with every change of rights, so that other server processes notice. */
export const rightsRevision = pgTable('rights_revision', {
  id: integer().primaryKey(),
  value: integer().notNull(),
})
