import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import type { Values } from '@iot/shared/contract/device'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import type { TaskContext } from '../../core/tasks/taskRunner'
import { createGatewayQueues, type GatewayQueues } from './gatewayQueues'
import { createLedgerWriter, type LedgerWriter } from './ledgerWriter'
import type { PlannedDevice } from './plan'
import type { ControlQueries, LedgerEntry } from './queries'

export type PlannedEntry = { device: PlannedDevice; row: LedgerEntry }
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
  finish: () => void
}

/** Creates a task with its queued entries; skipped entries already have their final state and take no part. */
export function createRunningTask(
  step: TaskContext,
  plannedEntries: PlannedEntry[],
  queries: ControlQueries,
) {
  const task: RunningTask = {
    step,
    entries: [],
    queues: createGatewayQueues(),
    ledger: createLedgerWriter(step, queries),
    // Each product model is read once per task.
    findModel: createSingleFlight(queries.model, { keepsResults: true }),
    openEntryCount: 0,
    isDispatching: false,
    finish: () => {},
  }
  for (const { device, row } of plannedEntries) {
    if (row.state !== 'queued') continue
    const entry: Entry = {
      row,
      device,
      lastReported: device.reported,
      queueState: 'pending',
      deadlineMs: 0,
      task,
    }
    task.entries.push(entry)
    task.openEntryCount++
    task.queues.add(entry)
  }
  return task
}
