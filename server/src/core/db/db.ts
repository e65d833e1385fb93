import { AsyncLocalStorage } from 'node:async_hooks'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { sqlState } from './outage'

/** The database or a transaction in it; queries take either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>

/** Set while a transaction's work runs; the pool refuses to be asked beside it. */
export const inTransaction = new AsyncLocalStorage<{ open: boolean }>()

/** A transaction, tried again when a distributed engine asks for it (serialization failure, deadlock). */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const scope = { open: true }
    try {
      return await db.transaction((tx) =>
        inTransaction.run(scope, async () => await work(tx as Db)),
      )
    } catch (error) {
      if (attempt === 5 || !['40001', '40P01'].includes(sqlState(error) ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt * (0.5 + Math.random())))
    } finally {
      scope.open = false
    }
  }
}
