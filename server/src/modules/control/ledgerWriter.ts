import type { LedgerState } from '@iot/shared/contract/control'
import { logError, runInBackground } from '../../core/db/outage'
import type { TaskContext } from '../../core/tasks/taskRunner'
import { now } from '../../tables/columns'
import { isFinalState } from './closeLedger'
import type { ControlQueries, LedgerEntry } from './queries'
import { canTransition } from './transitions'

const ledgerFlushMs = 200
const ledgerFlushRetryMs = 1000

/** Records the states of the entries of one task and saves them in batches, one write after the other. */
export function createLedgerWriter(step: TaskContext, queries: ControlQueries) {
  const unsavedRows = new Set<LedgerEntry>()
  let flushTimer: NodeJS.Timeout | undefined
  let lastWrite: Promise<void> = Promise.resolve()

  /** A transition that the table forbids is a programming error; it is logged and the entry keeps its state. */
  function recordTransition(row: LedgerEntry, state: LedgerState, reason = '') {
    if (!canTransition(row.state, state)) {
      const transition = `${row.deviceId}: ${row.state} → ${state}`
      return logError('控制明细的状态变化有误', new Error(transition))
    }
    step.row.counts[row.state]!--
    step.row.counts[state]!++
    Object.assign(row, {
      state,
      reason,
      ...(state === 'sent' && { sentTime: now() }),
      ...(isFinalState(state) && { doneTime: now() }),
    })
    unsavedRows.add(row)
    flushTimer ??= setTimeout(() => runInBackground(flush(), '控制任务进度未写入'), ledgerFlushMs)
  }

  const enqueueWrite = (job: () => Promise<void>) => (lastWrite = lastWrite.then(job))

  function flush() {
    clearTimeout(flushTimer)
    flushTimer = undefined
    return enqueueWrite(async () => {
      const changedRows = [...unsavedRows]
      unsavedRows.clear()
      try {
        // The progress call renews the claim on the task first and fails if another process has closed its ledger.
        await step.progress({})
        await queries.saveProgress(changedRows.map((row) => ({ ...row })))
      } catch (error) {
        if (step.signal.reason === 'lost') return
        logError('控制任务进度未写入', error)
        for (const row of changedRows) unsavedRows.add(row)
        flushTimer ??= setTimeout(
          () => runInBackground(flush(), '控制任务进度未写入'),
          ledgerFlushRetryMs,
        )
      }
    })
  }

  return {
    recordTransition,
    /** Runs a job after the writes before it, so that a batch is marked as sent in the order of the ledger. */
    enqueueWrite,
    flush,
    /** Saves all states and tries again until they are stored or the task is aborted. */
    async close() {
      await flush()
      while (unsavedRows.size > 0 && !step.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, ledgerFlushRetryMs))
        await flush()
      }
      clearTimeout(flushTimer)
    },
  }
}
export type LedgerWriter = ReturnType<typeof createLedgerWriter>
