import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
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

/**
 * A browser that somebody signed in with: others' wrong guesses do not keep it out. It shows a random cookie, of which the
 * SHA-256 is stored; it replaces no password. One browser may be known for several users.
 */
export const knownDevice = pgTable(
  'known_device',
  {
    id: id(),
    tokenHash: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    lastUsed: time().notNull(),
  },
  (table) => [
    uniqueIndex('known_device_token_user').on(table.tokenHash, table.userId),
    index('known_device_user').on(table.userId),
  ],
)

/**
 * Failures in a row; `key` is `user:<name>` for an account from anywhere, `address:<source>|<name>` for it from one source
 * (see `addressGroup`), `device:<hash>|<name>` for it from a known device.
 */
export const loginFailure = pgTable('login_failure', {
  key: text().primaryKey(),
  count: integer().notNull(),
  since: time().notNull(),
  lockedUntil: time(),
})
