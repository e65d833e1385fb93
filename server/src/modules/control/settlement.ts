import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import type { States } from '../../device-access/ingest/deviceStates'
import { isFinalState } from './closeLedger'
import type { ObservedEntries } from './observedEntries'
import type { Entry, RunningTask } from './runningTask'
import { canTransition } from './transitions'

/**
 * Finishes entries and corrects their outcome.
 * @param dispatchPending is called when a finished entry has freed capacity of its gateway
 */
export function createSettlement(
  states: States,
  observedEntries: ObservedEntries,
  dispatchPending: (task: RunningTask) => void,
) {
  /** @param shouldKeepListening keeps observing the device, so that its reports can correct the outcome while the task runs */
  function finishEntry(entry: Entry, state: LedgerState, reason = '', shouldKeepListening = false) {
    const { row, device, task } = entry
    if (isFinalState(row.state)) return
    // The entry keeps its timers, so that it still ends; the ledger logs the forbidden transition.
    if (!canTransition(row.state, state)) return task.ledger.recordTransition(row, state, reason)
    if (!shouldKeepListening) observedEntries.remove(entry)
    task.queues.remove(entry)
    clearTimeout(entry.timeoutTimer)
    entry.stopWaiting?.()
    if (row.state !== 'queued')
      states.clearDesired({ id: device.id, projectId: row.projectId }, row.taskId)
    task.ledger.recordTransition(row, state, reason)
    task.openEntryCount--
    if (task.openEntryCount === 0) task.finish()
    else dispatchPending(task)
  }

  /** Corrects the outcome of a finished entry when the device reports while the task still runs. */
  function correctOutcome(entry: Entry, state: LedgerState, reason = '') {
    const { row, task } = entry
    if (!isFinalState(row.state)) return finishEntry(entry, state, reason, true)
    if (row.state !== state || row.reason !== reason)
      task.ledger.recordTransition(row, state, reason)
  }

  return { finishEntry, correctOutcome }
}
export type Settlement = ReturnType<typeof createSettlement>
