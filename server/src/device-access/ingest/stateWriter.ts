import type { Db } from '../../core/db/db'
import { createWriteBehind } from '../../core/db/writeBehind'
import type { DeviceRef } from '../deviceRef'
import { createPendingChange, mergeChanges, type PendingChange } from './pendingChange'
import { writeDeviceRows, type ChangedDevice } from './writeDeviceRows'

const flushIntervalMs = 100
const flushRetryMs = 1000
/** Devices with unsaved changes while the database is away. */
const maxPendingDevices = 100_000
export const maxRowsPerWrite = 2000

type StateWriterDependencies = {
  db: Db
  onWritten: (rows: ChangedDevice[]) => void
  /** Called once all rows are written, because the history follows the states. */
  writeHistory: () => Promise<void>
}

/** Collects changes per device and writes them in batches. */
export function createStateWriter({ db, onWritten, writeHistory }: StateWriterDependencies) {
  const writer = createWriteBehind<PendingChange>({
    name: '设备状态',
    delayMs: flushIntervalMs,
    retryDelayMs: flushRetryMs,
    maxRows: maxPendingDevices,
    maxRowsPerWrite,
    merge: mergeChanges,
    async write(rows) {
      onWritten(await writeDeviceRows(db, rows))
    },
    afterWrite: writeHistory,
  })

  return {
    updatePending: (deviceRef: DeviceRef, apply: (row: PendingChange) => void) =>
      writer.change(deviceRef.id, (row = createPendingChange(deviceRef)) => {
        apply(row)
        return row
      }),
    flush: writer.flush,
    /** Returns the number of devices with unsaved changes. */
    countPending: writer.countPending,
    close: writer.close,
  }
}
export type UpdatePending = ReturnType<typeof createStateWriter>['updatePending']
