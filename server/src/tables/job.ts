import { pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** Time up to which a periodic job has run, shared by all server processes. */
export const job = pgTable('job', { name: text().primaryKey(), lastTime: time().notNull() })
