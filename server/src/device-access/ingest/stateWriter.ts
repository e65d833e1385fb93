import { createWriteBehind } from '../../core/db/writeBehind'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { WriteAsHolder } from '../../core/lease/leases'
import type { DeviceRef } from '../deviceRef'
import { createPendingChange, mergeChanges, type PendingChange } from './pendingChange'
import { writeDeviceRows, type ChangedDevice } from './writeDeviceRows'

const flushIntervalMs = 100
const flushRetryMs = 1000
/** Devices with unsaved changes while the database is away. */
const maxPendingDevices = 100_000
export const maxRowsPerWrite = 2000

type StateWriterDependencies = {
  writeAsHolder: WriteAsHolder
  onWritten: (rows: ChangedDevice[]) => void
  /** Called once all rows are written, because the history follows the states. */
  writeHistory: () => Promise<void>
}

/** Collects changes per device and writes them in batches. */
export function createStateWriter({
  writeAsHolder,
  onWritten,
  writeHistory,
}: StateWriterDependencies) {
  let isWriting = false
  /** Callers that wait until the changes up to now are stored; the first list belongs to the running write. */
  let writingCallbacks: (() => void)[] = []
  let storedCallbacks: (() => void)[] = []
  const writer = createWriteBehind<PendingChange>({
    name: '设备状态',
    delayMs: flushIntervalMs,
    retryDelayMs: flushRetryMs,
    maxRows: maxPendingDevices,
    maxRowsPerWrite,
    merge: mergeChanges,
    async write(rows) {
      if (!isWriting) writingCallbacks.push(...storedCallbacks.splice(0))
      isWriting = true
      try {
        onWritten(await writeAsHolder((tx) => writeDeviceRows(tx, rows)))
      } catch (error) {
        isWriting = false
        throw error
      }
    },
    async afterWrite() {
      await writeHistory()
      isWriting = false
      const callbacks = writingCallbacks.splice(0)
      if (writer.countPending() === 0) callbacks.push(...storedCallbacks.splice(0))
      for (const onStored of callbacks) onStored()
    },
    // The broker delivers the messages behind these changes to the process that has taken over.
    shouldRetry: (error) => !(error instanceof LeaseLostError),
  })

  return {
    updatePending: (deviceRef: DeviceRef, apply: (row: PendingChange) => void) =>
      writer.change(deviceRef.id, (row = createPendingChange(deviceRef)) => {
        apply(row)
        return row
      }),
    flush: writer.flush,
    /** Calls back once the changes up to now are stored; never if another process has taken over. */
    onceStored(onStored: () => void) {
      if (writer.countPending() === 0 && !isWriting) onStored()
      else storedCallbacks.push(onStored)
    },
    /** Drops everything that is not written, because another process has taken over. */
    discard() {
      writer.discard()
      writingCallbacks = []
      storedCallbacks = []
    },
    /** Returns the number of devices with unsaved changes. */
    countPending: writer.countPending,
    close: writer.close,
  }
}
export type UpdatePending = ReturnType<typeof createStateWriter>['updatePending']
