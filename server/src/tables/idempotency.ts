import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** Changes that were asked for with an `Idempotency-Key`, for a day; see `core/serve/idempotency`. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    userId: uuid().notNull(),
    /** SHA-256 of the key: who reads the table can neither repeat the request nor open its answer. */
    keyHash: text().notNull(),
    /** Names what the request makes, the same for whoever carries it out. */
    requestId: uuid().notNull(),
    /** Of what was asked for, keyed by the key; null in rows of a former version. */
    digest: text(),
    /** `committed`: the change is stored, its answer is not yet. */
    state: text().$type<'running' | 'committed' | 'answered'>().notNull().default('answered'),
    /** Of the process that carries it out; another one that took over has another. */
    claimId: uuid(),
    /** Until then that process is taken to live. */
    leaseTime: time(),
    /** Encrypted with the key, for it may hold a one-time secret; null where it is too large. */
    answer: text(),
    createTime: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.keyHash] }),
    index('idempotency_key_time').on(table.createTime),
  ],
)
