import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns'
import { user } from './user'

/** Of who has an authenticator app. The secret stands apart from the user, so that no list can carry it by mistake. */
export const secondFactor = pgTable('second_factor', {
  userId: uuid()
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  /** Null until a first code was right: a secret nobody scanned locks nobody out. */
  since: time(),
  /** The time step of the last accepted code, which serves no second time. */
  lastStep: integer().notNull(),
  /** SHA-256 of the recovery codes that are left. */
  recovery: text().array().notNull(),
})
