import { logError } from '../../core/db/outage'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { WriteAsHolder } from '../../core/lease/leases'
import type { DeviceRef } from '../deviceRef'
import { createPendingChange, mergeChanges, type PendingChange } from './pendingChange'
import { writeDeviceRows, type ChangedDevice } from './writeDeviceRows'

const flushIntervalMs = 100
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
  let pendingChanges = new Map<string, PendingChange>()
  let flushTimer: NodeJS.Timeout | undefined
  let lastWrite: Promise<void> = Promise.resolve()
  let isWriting = false
  /** Callers that wait until the changes up to now are stored. */
  let storedCallbacks: (() => void)[] = []

  function updatePending(deviceRef: DeviceRef, apply: (row: PendingChange) => void) {
    let row = pendingChanges.get(deviceRef.id)
    if (!row) pendingChanges.set(deviceRef.id, (row = createPendingChange(deviceRef)))
    apply(row)
    flushTimer ??= setTimeout(() => void flush(), flushIntervalMs)
  }

  async function writePending() {
    clearTimeout(flushTimer)
    flushTimer = undefined
    const changes = [...pendingChanges.values()]
    const callbacks = storedCallbacks
    pendingChanges = new Map()
    storedCallbacks = []
    for (let start = 0; start < changes.length; start += maxRowsPerWrite) {
      try {
        const batch = changes.slice(start, start + maxRowsPerWrite)
        onWritten(await writeAsHolder((tx) => writeDeviceRows(tx, batch)))
      } catch (error) {
        // The broker delivers the messages behind these changes to the process that has taken over.
        if (error instanceof LeaseLostError) return
        // The database is away: newer changes are merged over those that could not be written.
        logError('设备状态暂未写入', error)
        for (const row of changes.slice(start)) {
          const newer = pendingChanges.get(row.id)
          pendingChanges.set(row.id, newer ? mergeChanges(row, newer) : row)
        }
        storedCallbacks = [...callbacks, ...storedCallbacks]
        flushTimer ??= setTimeout(() => void flush(), 1000)
        return
      }
    }
    await writeHistory()
    for (const onStored of callbacks) onStored()
  }
  async function writeIfPending() {
    isWriting = true
    if (pendingChanges.size > 0) await writePending()
    isWriting = false
    if (pendingChanges.size > 0) return
    for (const onStored of storedCallbacks.splice(0)) onStored()
  }
  const flush = () => (lastWrite = lastWrite.then(writeIfPending))

  return {
    updatePending,
    flush,
    /** Calls back once the changes up to now are stored; never if another process has taken over. */
    onceStored(onStored: () => void) {
      if (pendingChanges.size === 0 && !isWriting) onStored()
      else storedCallbacks.push(onStored)
    },
    /** Drops everything that is not written, because another process has taken over. */
    discard() {
      pendingChanges.clear()
      storedCallbacks = []
    },
    /** Returns the number of devices with unsaved changes. */
    countPending: () => pendingChanges.size,
    async close() {
      await flush()
      clearTimeout(flushTimer)
    },
  }
}
export type UpdatePending = ReturnType<typeof createStateWriter>['updatePending']
