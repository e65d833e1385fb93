import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, time } from './columns'
import { user } from './user'

/** A token is stored as its SHA-256 only. An ended session stays for a while, to say why it ended. */
export const session = pgTable(
  'session',
  {
    id: id(),
    tokenHash: text().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    device: text().notNull(),
    address: text().notNull(),
    createTime: time().notNull(),
    lastSeen: time().notNull(),
    expireTime: time().notNull(),
    remember: boolean().notNull(),
    ended: text().$type<'logout' | 'replaced' | 'kicked'>(),
  },
  (table) => [index('session_user').on(table.userId)],
)

/** Failures in a row of one account name or one address; `key` is `user:<name>` or `address:<ip>`. */
export const loginFailure = pgTable('login_failure', {
  key: text().primaryKey(),
  count: integer().notNull(),
  since: time().notNull(),
  lockedUntil: time(),
})
