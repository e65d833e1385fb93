import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** Requests with an `Idempotency-Key` are stored for a day; see `core/idempotency/idempotency`. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    userId: uuid().notNull(),
    /**
     * Only the SHA-256 of the key is stored, so that a reader of the table can neither repeat the request nor decrypt
     * its answer.
     */
    keyHash: text().notNull(),
    /** Id that identifies what the request creates; it stays the same if another process takes over. */
    requestId: uuid().notNull(),
    /** The digest of the request's content is keyed; it is null in rows of a former version. */
    digest: text(),
    /** `committed` means that the change is stored but its answer is not yet. */
    state: text().$type<'running' | 'committed' | 'answered'>().notNull().default('answered'),
    /** Identifies the process that runs the request; a process that takes over has another one. */
    claimId: uuid(),
    /** The process counts as alive until its lease ends. */
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
