import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns'
import { user } from './user'

/**
 * Users with an authenticator app. The secret is stored apart from the user, so that no list can contain it by
 * mistake.
 */
export const secondFactor = pgTable('second_factor', {
  userId: uuid()
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  /** Null until a first correct code, so that a secret that was never scanned locks no user out. */
  since: time(),
  /** Time step of the last accepted code, which cannot be used again. */
  lastStep: integer().notNull(),
  /** Only the SHA-256 of each unused recovery code is stored. */
  recovery: text().array().notNull(),
})
