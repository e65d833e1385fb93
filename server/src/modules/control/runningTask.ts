import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import type { Values } from '@iot/shared/contract/device/device.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import type { WriteAsHolder } from '../../core/lease/leases'
import type { TaskContext } from '../../core/tasks/taskRunner'
import { isFinalState } from './closeLedger'
import { createGatewayQueues, type GatewayQueues } from './gatewayQueues'
import { createLedgerWriter, type LedgerWriter } from './ledgerWriter'
import type { PlannedDevice } from './planningQueries'
import type { ControlQueries } from './queries'
import type { LedgerEntry } from './ledgerQueries'

export type PlannedEntry = {
  device: PlannedDevice
  row: LedgerEntry
  /** Times of the reported values, for an entry that another process has sent. */
  reportedAt?: Record<string, number>
}
export type Entry = PlannedEntry & {
  /** Values that the device has reported so far, before and during this command. */
  lastReported: Values
  /** Requested values that the device has reported since its acknowledgement. */
  confirmedValues?: Values
  queueState: 'pending' | 'inFlight' | 'done'
  deadlineMs: number
  stopWaiting?: () => void
  timeoutTimer?: NodeJS.Timeout
  task: RunningTask
}
export type RunningTask = {
  step: TaskContext
  entries: Entry[]
  queues: GatewayQueues
  ledger: LedgerWriter
  findModel: (productId: string) => Promise<ThingModel | undefined>
  openEntryCount: number
  isDispatching: boolean
  /** The task is left to another process: nothing more is sent. */
  isLeft: boolean
  /** Other processes carry out entries of this task too. */
  isShared: boolean
  finish: () => void
}

/** Creates a task with its queued entries; skipped entries already have their final state and take no part. */
export function createRunningTask(
  step: TaskContext,
  plannedEntries: PlannedEntry[],
  queries: ControlQueries,
  writeAsHolder: WriteAsHolder,
) {
  const task: RunningTask = {
    step,
    entries: [],
    queues: createGatewayQueues(),
    ledger: createLedgerWriter(step, writeAsHolder, () => task.isShared),
    // Each product model is read once per task.
    findModel: createSingleFlight(queries.model, { keepsResults: true }),
    openEntryCount: 0,
    isDispatching: false,
    isLeft: false,
    isShared: plannedEntries.length < step.row.total,
    finish: () => {},
  }
  for (const plannedEntry of plannedEntries) addEntry(task, plannedEntry)
  return task
}

/** Adds an entry without a final state; one that another process has sent only waits for the reports of its device. */
export function addEntry(task: RunningTask, plannedEntry: PlannedEntry) {
  if (isFinalState(plannedEntry.row.state)) return undefined
  const isQueued = plannedEntry.row.state === 'queued'
  const entry: Entry = {
    ...plannedEntry,
    lastReported: plannedEntry.device.reported,
    queueState: isQueued ? 'pending' : 'done',
    deadlineMs: 0,
    task,
  }
  task.entries.push(entry)
  task.openEntryCount++
  if (isQueued) task.queues.add(entry)
  return entry
}
