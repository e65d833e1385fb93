import { EventEmitter } from 'node:events'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import { device } from '../../tables/device'
import { createDeviceClocks } from './deviceClock'
import { createHistoryWriter } from '../history/history'
import type { DeviceRef } from '../deviceRef'
import type { EventWriter } from './eventRecorder'
import { createReportRecorder } from './reportRecorder'
import { createStateWriter, maxRowsPerWrite, type UpdatePending } from './stateWriter'
import type { ChangedDevice } from './writeDeviceRows'

/**
 * Writes reported values in batches, one statement each tenth of a second, and emits the resulting rows for the
 * browsers. Call `flush` before a read that must be current.
 */
export function createDeviceStates(
  db: Db,
  historyDays?: number,
  writeAsHolder: WriteAsHolder = (work) => work(db),
) {
  const events = new EventEmitter<{
    changed: [ChangedDevice[]]
    reported: [DeviceRef, Values]
    offline: [DeviceRef]
  }>()
  const eventWriters: EventWriter[] = []
  const history = createHistoryWriter(db, historyDays, writeAsHolder)
  const clocks = createDeviceClocks()
  const writer = createStateWriter({
    writeAsHolder,
    onWritten: (rows) => events.emit('changed', rows),
    writeHistory: history.write,
  })
  const { updatePending, flush } = writer
  const { report, clearCache } = createReportRecorder({
    clocks,
    history,
    updatePending,
    onReported: (deviceRef, possibleAnswers) => events.emit('reported', deviceRef, possibleAnswers),
  })

  return {
    events,
    /** Modules add what they write together with an event of a device. */
    eventWriters,
    flush,
    countPending: writer.countPending,
    onceStored: writer.onceStored,
    report,
    /** Forgets what this process knows of devices, because another process may have handled them since. */
    clearCache,
    /** Drops everything that is not written, because another process has taken over. */
    discard() {
      writer.discard()
      history.discard()
    },
    ...createDesiredValues(clocks, updatePending),
    ...createConnectionStates(updatePending, (deviceRef) => events.emit('offline', deviceRef)),
    /** Marks values as stale that were reported before `since`, because reports may have been missed. */
    async markStale(ids: string[], since: number) {
      await flush()
      for (let start = 0; start < ids.length; start += maxRowsPerWrite)
        events.emit(
          'changed',
          await writeAsHolder((tx) =>
            tx
              .update(device)
              .set({
                revision: sql`${device.revision} + 1`,
                stale: sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(${device.reportedAt}) where value::bigint < ${since}), '{}')`,
              })
              .where(inArray(device.id, ids.slice(start, start + maxRowsPerWrite)))
              .returning(liveColumns),
          ),
        )
    },
    async close() {
      await writer.close()
      await history.close()
    },
  }
}
export type States = ReturnType<typeof createDeviceStates>

/** Sets and clears the values that control tasks ask for. */
const createDesiredValues = (
  clocks: ReturnType<typeof createDeviceClocks>,
  updatePending: UpdatePending,
) => ({
  /** Sets the desired values of a task; the latest task owns the value. */
  setDesired(deviceRef: DeviceRef, task: string, values: Values) {
    clocks.recordCommand(deviceRef.id, values)
    updatePending(deviceRef, (row) => {
      Object.assign(row.wish, values)
      for (const identifier of Object.keys(values)) row.wishes[identifier] = task
    })
  },
  /** Clears the desired values of a task, unless another task has replaced them. */
  clearDesired: (deviceRef: DeviceRef, task: string) =>
    updatePending(deviceRef, (row) => {
      for (const [identifier, ownerTask] of Object.entries(row.wishes))
        if (ownerTask === task) {
          delete row.wish[identifier]
          delete row.wishes[identifier]
        }
      row.unwish.push(task)
    }),
})

/** Marks devices as connected or offline. */
const createConnectionStates = (
  updatePending: UpdatePending,
  onOffline: (deviceRef: DeviceRef) => void,
) => ({
  /** Marks a device as online because it sent a message. */
  markOnline: (deviceRef: DeviceRef) =>
    updatePending(deviceRef, (row) => {
      row.state = 'online'
      delete row.leaves
    }),
  /**
   * Marks a device as connected; its earlier values become stale until it reports them again. Without an address the
   * stored one is kept.
   */
  markConnected: (
    deviceRef: DeviceRef,
    { address, via = '' }: { address?: string; via?: string } = {},
  ) =>
    updatePending(deviceRef, (row) => {
      Object.assign(row, { state: 'online', rejoined: true, heard: [], via })
      row.onlineTime = new Date().toISOString()
      if (address) row.address = address
      delete row.leaves
    }),
  /** @param via the device goes offline only if it is logged in through this gateway */
  markOffline(deviceRef: DeviceRef, via?: string) {
    updatePending(deviceRef, (row) => {
      if (via && row.via !== undefined && row.via !== via) return
      row.state = 'offline'
      if (via) row.leaves = via
      else row.via = ''
    })
    onOffline(deviceRef)
  },
})

/** Columns that live events show of a device. */
export const liveColumns = {
  id: device.id,
  projectId: device.projectId,
  state: device.state,
  reported: device.reported,
  reportedTime: device.reportedTime,
  stale: device.stale,
  desired: device.desired,
  revision: device.revision,
  spaceId: device.spaceId,
  floorId: device.floorId,
}
