import { deviceKey } from '../../device-access/protocol/alink'
import type { Entry } from './runningTask'

/**
 * Entries whose device reports are observed, by device id.
 * @param observedKeys keys of the devices whose reports device access passes on at once
 */
export function createObservedEntries(observedKeys: Set<string>) {
  const entriesByDevice = new Map<string, Set<Entry>>()

  return {
    add(entry: Entry) {
      const { device } = entry
      entriesByDevice.set(device.id, (entriesByDevice.get(device.id) ?? new Set()).add(entry))
      observedKeys.add(deviceKey(device))
    },
    remove(entry: Entry) {
      const deviceEntries = entriesByDevice.get(entry.device.id)
      deviceEntries?.delete(entry)
      if (deviceEntries?.size !== 0) return
      entriesByDevice.delete(entry.device.id)
      observedKeys.delete(deviceKey(entry.device))
    },
    has: (entry: Entry) => entriesByDevice.get(entry.device.id)?.has(entry) ?? false,
    /** Returns a copy, because callers finish entries and thereby remove them while they iterate. */
    findByDevice: (deviceId: string): Entry[] => [...(entriesByDevice.get(deviceId) ?? [])],
  }
}
export type ObservedEntries = ReturnType<typeof createObservedEntries>
