import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { transaction, type Db } from './core/db/db'

/**
 * Runs a transaction and, before it ends, other work that meets its rows, as two processes do that both hold the jobs
 * for a moment. The transaction ends as soon as the other work waits for a lock or has ended without one.
 * @example await overlap(db, (tx) => countRepeats(tx), () => transaction(db, countRepeats))
 */
export async function overlap<T>(
  db: Db,
  first: (tx: Db) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const outside = AsyncLocalStorage.snapshot()
  const isWaiting = async () => {
    const { rows } = await db.execute(sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length > 0
  }
  let secondRun: Promise<T> | undefined
  await transaction(db, async (tx) => {
    await first(tx)
    let hasEnded = false
    secondRun = outside(second)
    secondRun.finally(() => (hasEnded = true)).catch(() => {})
    while (!hasEnded && !(await outside(isWaiting))) await setTimeout(10)
  })
  return secondRun!
}
