import type { Db } from '../../core/db/db'
import { logError, runInBackground } from '../../core/db/outage'
import type { DeviceRef } from '../deviceRef'
import { createPendingChange, mergeChanges, type PendingChange } from './pendingChange'
import { writeDeviceRows, type ChangedDevice } from './writeDeviceRows'

const flushIntervalMs = 100
export const maxRowsPerWrite = 2000

type StateWriterDependencies = {
  db: Db
  onWritten: (rows: ChangedDevice[]) => void
  /** Called once all rows are written, because the history follows the states. */
  writeHistory: () => Promise<void>
}

/** Collects changes per device and writes them in batches. */
export function createStateWriter({ db, onWritten, writeHistory }: StateWriterDependencies) {
  let pendingChanges = new Map<string, PendingChange>()
  let flushTimer: NodeJS.Timeout | undefined
  let lastWrite: Promise<void> = Promise.resolve()

  function updatePending(deviceRef: DeviceRef, apply: (row: PendingChange) => void) {
    let row = pendingChanges.get(deviceRef.id)
    if (!row) pendingChanges.set(deviceRef.id, (row = createPendingChange(deviceRef)))
    apply(row)
    flushTimer ??= setTimeout(() => runInBackground(flush(), '设备状态暂未写入'), flushIntervalMs)
  }

  async function writePending() {
    clearTimeout(flushTimer)
    flushTimer = undefined
    const changes = [...pendingChanges.values()]
    pendingChanges = new Map()
    for (let start = 0; start < changes.length; start += maxRowsPerWrite) {
      try {
        onWritten(await writeDeviceRows(db, changes.slice(start, start + maxRowsPerWrite)))
      } catch (error) {
        // The database is away: newer changes are merged over those that could not be written.
        logError('设备状态暂未写入', error)
        for (const row of changes.slice(start)) {
          const newer = pendingChanges.get(row.id)
          pendingChanges.set(row.id, newer ? mergeChanges(row, newer) : row)
        }
        flushTimer ??= setTimeout(() => runInBackground(flush(), '设备状态暂未写入'), 1000)
        return
      }
    }
    await writeHistory()
  }
  const flush = () =>
    (lastWrite = lastWrite.then(() => (pendingChanges.size > 0 ? writePending() : undefined)))

  return {
    updatePending,
    flush,
    /** Returns the number of devices with unsaved changes. */
    countPending: () => pendingChanges.size,
    async close() {
      await flush()
      clearTimeout(flushTimer)
    },
  }
}
export type UpdatePending = ReturnType<typeof createStateWriter>['updatePending']
