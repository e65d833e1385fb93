import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import { TaskOutcome } from '@iot/shared/contract/sheet/task.schema'
import type { Db } from '../../core/db/db'
import type { TaskRow } from '../../core/tasks/queries'
import type { States } from '../../device-access/ingest/deviceStates'
import { now } from '../../tables/columns'
import { controlQueries } from './queries'
import { createZeroCounts } from './ledgerQueries'

const finalStates = new Set<string>(TaskOutcome.options)
export const isFinalState = (state: LedgerState) => finalStates.has(state)

/** Reason of entries whose process ended after it had sent them. */
export const stoppedReason = '执行任务的进程没有响应'

/**
 * Returns the final state of an entry whose task ended early: an unsent entry failed, an acknowledged one is confirmed,
 * and a sent one is unknown.
 */
export const getFinalState = (state: LedgerState, why: string): [LedgerState, string] =>
  state === 'queued'
    ? ['failed', `${why}，未下发`]
    : [state === 'delivered' ? 'confirmed' : 'unknown', why]

/** Closes the ledger of a task that no process worked on for too long. */
export async function closeLedger(
  db: Db,
  states: States,
  { id, projectId, status }: TaskRow,
  why: string,
) {
  const queries = controlQueries(db)
  const rows = await queries.ledger(projectId!, id)
  const openRows = rows.filter(({ state }) => !isFinalState(state))
  for (const row of openRows) {
    const [state, reason] = getFinalState(row.state, why)
    Object.assign(row, { state, reason, doneTime: now() })
  }
  states.events.emit('changed', await queries.clearDesired(projectId!, id))
  await queries.saveProgress(openRows)
  const counts = createZeroCounts()
  for (const { state } of rows) counts[state]++
  return { counts, status: status === 'cancelled' ? status : ('done' as const) }
}
