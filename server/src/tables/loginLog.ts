import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/**
 * The sign-in log is append-only. `userId` and `sessionId` are set for successful sign-ins only, because a failed
 * name may belong to no user.
 */
export const loginLog = pgTable(
  'login_log',
  {
    id: id(),
    time: time().notNull(),
    username: text().notNull(),
    userId: uuid(),
    sessionId: uuid(),
    ok: boolean().notNull(),
    reason: text().notNull(),
    address: text().notNull(),
    browser: text().notNull(),
    system: text().notNull(),
  },
  (table) => [
    index('login_log_time').on(table.time, table.id, table.username),
    index('login_log_users').on(table.username, table.time, table.id),
    index('login_log_addresses').on(table.address, table.time, table.id),
    index('login_log_ok').on(table.ok, table.time, table.id),
    index('login_log_session').on(table.sessionId),
  ],
)
