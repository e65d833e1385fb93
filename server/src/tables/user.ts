import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { id, now, rowColumns, time } from './columns'
import { role } from './role'

export const user = pgTable(
  'user_account',
  {
    ...rowColumns(),
    username: text().notNull(),
    /** User name in lower case, because names that differ only in case look the same to people. */
    usernameKey: text().notNull().unique(),
    name: text().notNull(),
    phone: text().notNull(),
    email: text().notNull(),
    /**
     * Grants all projects, including future ones; `projectIds` is then empty. Without it, an empty list grants none.
     */
    allProjects: boolean().notNull().default(false),
    projectIds: integer().array().notNull(),
    expireTime: time(),
    disabled: boolean().notNull(),
    lockedUntil: time(),
    builtin: boolean().notNull(),
    lastLoginTime: time(),
    passwordHash: text().notNull(),
    mustChangePassword: boolean().notNull(),
    /** When the password was set; for rows from before this column, the time of the upgrade. */
    passwordTime: time()
      .notNull()
      .default(sql`now()`)
      .$defaultFn(now),
  },
  (table) => [index('user_time').on(table.createTime, table.id)],
)

/** Hashes of former passwords that the user chose; only the newest are kept. */
export const passwordHistory = pgTable(
  'password_history',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    passwordHash: text().notNull(),
    createTime: time().notNull().$defaultFn(now),
  },
  (table) => [index('password_history_user').on(table.userId)],
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
