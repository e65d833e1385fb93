import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** Requests with an `Idempotency-Key`, kept for a day; see `core/serve/idempotency`. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    userId: uuid().notNull(),
    /** SHA-256 of the key, so that a reader of the table can neither repeat the request nor decrypt its answer. */
    keyHash: text().notNull(),
    /** Id that identifies what the request creates; it stays the same if another process takes over. */
    requestId: uuid().notNull(),
    /** Keyed digest of the content of the request; null in rows of a former version. */
    digest: text(),
    /** `committed` means that the change is stored but its answer is not yet. */
    state: text().$type<'running' | 'committed' | 'answered'>().notNull().default('answered'),
    /** Identifies the process that runs the request; a process that takes over has another one. */
    claimId: uuid(),
    /** End of the lease; the process counts as alive until then. */
    leaseTime: time(),
    /** Answer encrypted with the key, because it may hold a one-time secret; null if it is too large. */
    answer: text(),
    createTime: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.keyHash] }),
    index('idempotency_key_time').on(table.createTime),
  ],
)
