import type { ProcessMessages } from '../broker/processMessages'
import type { States } from './deviceStates'
import type { ChangedDevice } from './writeDeviceRows'

/** Changes of this time in ms travel together, the last row of each device. */
const flushIntervalMs = 200
/** MQTT brokers may reject messages above 1 MB; a row takes some hundred bytes. */
const maxRowsPerMessage = 500

/**
 * Publishes rows that this process has written to the processes that show their project. A topic without subscribers
 * costs the broker nothing, which is cheaper than keeping track of the subscribers.
 */
export function startStatePublisher(
  events: States['events'],
  processMessages: Pick<ProcessMessages, 'publishStates'>,
) {
  const rowsByProject = new Map<number, Map<string, ChangedDevice>>()
  let timer: NodeJS.Timeout | undefined

  function flush() {
    timer = undefined
    for (const [projectId, rowsById] of rowsByProject) {
      const rows = [...rowsById.values()]
      for (let start = 0; start < rows.length; start += maxRowsPerMessage)
        processMessages.publishStates(projectId, rows.slice(start, start + maxRowsPerMessage))
    }
    rowsByProject.clear()
  }
  function onChanged(rows: ChangedDevice[]) {
    for (const row of rows) {
      const rowsById = rowsByProject.get(row.projectId) ?? new Map<string, ChangedDevice>()
      rowsByProject.set(row.projectId, rowsById.set(row.id, row))
    }
    timer ??= setTimeout(flush, flushIntervalMs)
  }
  events.on('changed', onChanged)
  return {
    /** Sends what is pending. */
    stop() {
      events.off('changed', onChanged)
      clearTimeout(timer)
      flush()
    },
  }
}
