import type { DeviceRight } from '@iot/shared/contract/device/devicePermissions'
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
  /** Grants every permission, including those of menus added later. */
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

/**
 * Permissions that a built-in role was given once. They are recorded even if removed later, so that a start does not
 * grant again what an administrator took away.
 */
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

/** The value of the single row increases with every change of permissions, so that other server processes notice it. */
export const rightsRevision = pgTable('rights_revision', {
  id: integer().primaryKey(),
  value: integer().notNull(),
})
