import { pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** Until when what is done once was done, whichever process comes first. */
export const job = pgTable('job', { name: text().primaryKey(), lastTime: time().notNull() })
