import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { rowColumns, time } from './columns'
import { role } from './role'

export const user = pgTable(
  'user_account',
  {
    ...rowColumns(),
    username: text().notNull(),
    /** In lower case: two names that differ only in case are one to a person. */
    usernameKey: text().notNull().unique(),
    name: text().notNull(),
    phone: text().notNull(),
    email: text().notNull(),
    /** Every project, those to come too; then `projectIds` is empty. Otherwise an empty list is none. */
    allProjects: boolean().notNull().default(false),
    projectIds: integer().array().notNull(),
    expireTime: time(),
    disabled: boolean().notNull(),
    lockedUntil: time(),
    builtin: boolean().notNull(),
    lastLoginTime: time(),
    passwordHash: text().notNull(),
    mustChangePassword: boolean().notNull(),
  },
  (table) => [index('user_time').on(table.createTime, table.id)],
)

export const userRole = pgTable(
  'user_role',
  {
    userId: uuid()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => role.id),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.roleId] }),
    index('user_role_role').on(table.roleId),
  ],
)
