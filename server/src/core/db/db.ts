import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { getBackoffMs } from '@iot/shared/contract/backoff'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { getSqlState } from './outage'

/** The database or a transaction in it; queries accept either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>

/**
 * Marks the asynchronous context of an open transaction; the pool refuses to hand out a second connection inside it.
 */
export const transactionStorage = new AsyncLocalStorage<{ open: boolean }>()

/**
 * Runs work in a transaction. It is retried up to four times with backoff after a serialization failure (40001) or a
 * deadlock (40P01), which distributed engines report in normal operation.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const scope = { open: true }
    try {
      return await db.transaction((tx) =>
        transactionStorage.run(scope, async () => await work(tx as Db)),
      )
    } catch (error) {
      if (attempt === 5 || !['40001', '40P01'].includes(getSqlState(error) ?? '')) throw error
      await pause(getBackoffMs(attempt, { firstMs: 20 }))
    } finally {
      scope.open = false
    }
  }
}
