import type { PlannedDevice } from './planningQueries'
import type { Entry } from './runningTask'

/** Limit of commands in flight per gateway; a gateway that received more would only queue them itself. */
const maxInFlightPerGateway = 64

type Queue = { pending: Entry[]; inFlightCount: number }

/** Queues the entries of one task per gateway; a device without a gateway has its own queue. */
export function createGatewayQueues() {
  const queues = new Map<string, Queue>()

  return {
    add(entry: Entry) {
      const queue = queues.get(getQueueKey(entry.device)) ?? { pending: [], inFlightCount: 0 }
      queue.pending.push(entry)
      queues.set(getQueueKey(entry.device), queue)
    },
    /** Takes pending entries of all gateways that have capacity; the entries count as in flight until removed. */
    takeBatch(maxEntries: number): Entry[] {
      const batch: Entry[] = []
      for (const queue of queues.values()) {
        while (
          batch.length < maxEntries &&
          queue.inFlightCount < maxInFlightPerGateway &&
          queue.pending.length > 0
        ) {
          const entry = queue.pending.shift()!
          queue.inFlightCount++
          entry.queueState = 'inFlight'
          batch.push(entry)
        }
      }
      return batch
    },
    /** Removes a finished entry and frees its capacity. */
    remove(entry: Entry) {
      const queue = queues.get(getQueueKey(entry.device))!
      if (entry.queueState === 'pending') queue.pending.splice(queue.pending.indexOf(entry), 1)
      if (entry.queueState === 'inFlight') queue.inFlightCount--
      entry.queueState = 'done'
    },
  }
}
export type GatewayQueues = ReturnType<typeof createGatewayQueues>

const getQueueKey = (device: PlannedDevice) => device.gatewayId ?? device.id
