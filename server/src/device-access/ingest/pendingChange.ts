import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import type { DeviceRef } from '../deviceRef'

/** Times are in ms and keyed by identifier. */
export type ValueTimes = Record<string, number>
/** Each dropped identifier has a reason and a time. */
export type DroppedValues = Record<string, { reason: string; time: string }>
/** Holds the changes of one device until they are written. */
export type PendingChange = DeviceRef & {
  state?: DeviceState
  patch: Values
  /** Each value of the patch applies to the time given here. */
  at: ValueTimes
  /** The device reconnected: its earlier values are stale until it reports them again. */
  rejoined?: boolean
  /** These identifiers were reported since the reconnect. */
  heard: string[]
  /** Desired values by identifier, and the task that set each of them. */
  wish: Values
  wishes: Record<string, string>
  /** These tasks no longer desire any value. */
  unwish: string[]
  time?: string
  onlineTime?: string
  address?: string
  /** Clock offset in ms; null if the clock is right, undefined if it sent no time. */
  clockOffsetMs?: number | null
  dropped?: DroppedValues
  /** Identifiers that were stored again since their last drop. */
  undropped: string[]
  /** The device is logged in through this gateway; empty means a direct connection. */
  via?: string
  /** The device goes offline only if it is logged in through this gateway. */
  leaves?: string
}

export const createPendingChange = ({ id, projectId }: DeviceRef): PendingChange => ({
  id,
  projectId,
  patch: {},
  at: {},
  heard: [],
  wish: {},
  wishes: {},
  unwish: [],
  undropped: [],
})

const omitDropped = (dropped: DroppedValues = {}, identifiers: string[]) =>
  Object.fromEntries(Object.entries(dropped).filter(([name]) => !identifiers.includes(name)))

/** Merges the newer changes of a device over those that could not be written. */
export function mergeChanges(older: PendingChange, newer: PendingChange): PendingChange {
  const stillDesired = Object.entries(older.wishes).filter(
    ([, task]) => !newer.unwish.includes(task),
  )
  return {
    ...older,
    ...newer,
    patch: { ...older.patch, ...newer.patch },
    at: { ...older.at, ...newer.at },
    ...((older.dropped || newer.dropped) && {
      dropped: { ...omitDropped(older.dropped, newer.undropped), ...newer.dropped },
    }),
    undropped: [...older.undropped, ...newer.undropped],
    heard: newer.rejoined ? newer.heard : [...older.heard, ...newer.heard],
    wish: {
      ...Object.fromEntries(
        stillDesired.map(([identifier]) => [identifier, older.wish[identifier]!]),
      ),
      ...newer.wish,
    },
    wishes: { ...Object.fromEntries(stillDesired), ...newer.wishes },
    unwish: [...older.unwish, ...newer.unwish],
  }
}
