import type { LedgerState } from '@iot/shared/contract/control'
import { Outcome } from '@iot/shared/contract/task'
import type { Db } from '../../core/db/db'
import type { TaskRow } from '../../core/tasks/queries'
import type { States } from '../../device-access/states'
import { now } from '../../tables/columns'
import { controlQueries, noCounts } from './queries'

const ended = new Set<string>(Outcome.options)
export const isOver = (state: LedgerState) => ended.has(state)

/**
 * Returns the final state of an entry whose task ended early: an unsent entry failed, an acknowledged one is confirmed,
 * and a sent one is unknown.
 */
export const lastWord = (state: LedgerState, why: string): [LedgerState, string] =>
  state === 'queued'
    ? ['failed', `${why}，未下发`]
    : [state === 'delivered' ? 'confirmed' : 'unknown', why]

/** Closes the ledger of a task whose process died. */
export async function closeLedger(
  db: Db,
  states: States,
  { id, projectId, status }: TaskRow,
  why: string,
) {
  const queries = controlQueries(db)
  const rows = await queries.ledger(projectId!, id)
  const open = rows.filter(({ state }) => !isOver(state))
  for (const row of open) {
    const [state, reason] = lastWord(row.state, why)
    Object.assign(row, { state, reason, doneTime: now() })
  }
  states.events.emit('changed', await queries.forgetWishes(projectId!, id))
  await queries.note(open)
  const counts = noCounts()
  for (const { state } of rows) counts[state]++
  return { counts, status: status === 'cancelled' ? status : ('done' as const) }
}
