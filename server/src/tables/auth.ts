import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, time } from './columns'
import { user } from './user'

/** Only the SHA-256 of a token is stored. An ended session is kept for a while to tell why it ended. */
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
    ended: text().$type<'logout' | 'replaced' | 'kicked' | 'idle'>(),
    /** The password was found due for a change when this session began. */
    passwordDue: text().$type<'expired' | 'common'>(),
    /** A role required a second factor when this session began, and none was active. */
    mustEnrolSecondFactor: boolean().notNull().default(false),
  },
  (table) => [index('session_user').on(table.userId)],
)

/**
 * A browser in which a user has signed in before; wrong guesses of others do not lock it out. It presents a random
 * cookie whose SHA-256 is stored, and does not replace the password. One browser may be known for several users.
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
 * Consecutive failed sign-ins. `key` is `user:<name>` for an account from anywhere, `address:<source>|<name>` for one
 * source (see `addressGroup`), or `device:<hash>|<name>` for a known device.
 */
export const loginFailure = pgTable('login_failure', {
  key: text().primaryKey(),
  count: integer().notNull(),
  since: time().notNull(),
  lockedUntil: time(),
})
