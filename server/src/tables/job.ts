import { pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** What is done once a day, whichever process comes first. */
export const job = pgTable('job', { name: text().primaryKey(), lastTime: time().notNull() })
