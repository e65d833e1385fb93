import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import { setTimeout as pause } from 'node:timers/promises'
import { logError } from '../../core/db/outage'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { WriteAsHolder } from '../../core/lease/leases'
import type { TaskContext } from '../../core/tasks/taskRunner'
import { createWriteBehind } from '../../core/db/writeBehind'
import { now } from '../../tables/columns'
import { isFinalState } from './closeLedger'
import { controlQueries } from './queries'
import type { LedgerEntry } from './ledgerQueries'
import { canTransition } from './transitions'

const ledgerFlushMs = 200
const ledgerFlushRetryMs = 1000
/** The limit is larger than any task, so that no entry is lost while the database is away. */
const maxUnsavedEntries = 1_000_000

/** Records the states of the entries of one task and saves them in batches, one write after the other. */
export function createLedgerWriter(
  step: TaskContext,
  writeAsHolder: WriteAsHolder,
  /** Returns true if other processes carry out entries of this task too. */
  isShared: () => boolean,
) {
  const writer = createWriteBehind<LedgerEntry>({
    name: '控制任务进度',
    delayMs: ledgerFlushMs,
    retryDelayMs: ledgerFlushRetryMs,
    maxRows: maxUnsavedEntries,
    write: (rows) =>
      writeAsHolder(async (tx) => {
        const queries = controlQueries(tx)
        await queries.saveProgress(rows.map((row) => ({ ...row })))
        const { projectId, id } = step.row
        // The progress call fails if another process has ended the task.
        await step.progress(isShared() ? { counts: await queries.counts(projectId!, id) } : {}, tx)
      }),
    shouldRetry: (error) => !(error instanceof LeaseLostError) && step.signal.reason !== 'lost',
  })

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
    writer.change(row.deviceId, () => row)
  }

  return {
    recordTransition,
    /** Runs a job after the writes before it, so that a batch is marked as sent in the order of the ledger. */
    enqueueWrite: writer.runInSequence,
    flush: writer.flush,
    /** Saves all states and tries again until they are stored or the task is aborted. */
    async close() {
      await writer.flush()
      while (writer.countPending() > 0 && !step.signal.aborted) {
        await pause(ledgerFlushRetryMs)
        await writer.flush()
      }
      await writer.close()
    },
  }
}
export type LedgerWriter = ReturnType<typeof createLedgerWriter>
