import type { Entry } from './runningTask'

/** Entries whose device reports are observed, by device id. */
export function createObservedEntries() {
  const entriesByDevice = new Map<string, Set<Entry>>()

  return {
    add(entry: Entry) {
      const { id } = entry.device
      entriesByDevice.set(id, (entriesByDevice.get(id) ?? new Set()).add(entry))
    },
    remove(entry: Entry) {
      const deviceEntries = entriesByDevice.get(entry.device.id)
      deviceEntries?.delete(entry)
      if (deviceEntries?.size === 0) entriesByDevice.delete(entry.device.id)
    },
    has: (entry: Entry) => entriesByDevice.get(entry.device.id)?.has(entry) ?? false,
    /** Returns a copy, because callers finish entries and thereby remove them while they iterate. */
    findByDevice: (deviceId: string): Entry[] => [...(entriesByDevice.get(deviceId) ?? [])],
  }
}
export type ObservedEntries = ReturnType<typeof createObservedEntries>
