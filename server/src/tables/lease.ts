import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns'

/**
 * One row per partition, per set of periodic jobs and per living process. `fence` grows with every change of the
 * holder, so that a former holder is recognised; the clock of the database decides when a lease ends.
 */
export const lease = pgTable('lease', {
  name: text().primaryKey(),
  holder: text().notNull(),
  fence: bigint({ mode: 'number' }).notNull(),
  endsAt: time().notNull(),
})
