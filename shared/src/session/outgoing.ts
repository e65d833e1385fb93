import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

/** A command that left this page and was not answered by the platform yet. */
export type Outgoing = {
  /** Its idempotency key. */
  key: string
  projectId: number
  title: string
  /** `unknown`: no answer came in time; it may still be done. */
  state: 'sending' | 'unknown'
  /** Devices that are meant one by one; none where a place, group or scene is. */
  deviceIds: readonly string[]
}

/** By idempotency key. */
export const outgoingAtom = atom<ReadonlyMap<string, Outgoing>>(new Map())
export const setOutgoingAtom = atom(null, (_get, set, outgoing: Outgoing) =>
  set(outgoingAtom, (before) => new Map(before).set(outgoing.key, outgoing)),
)
export const removeOutgoingAtom = atom(null, (_get, set, key: string) =>
  set(outgoingAtom, (before) => {
    const rest = new Map(before)
    rest.delete(key)
    return rest
  }),
)

export const outgoingText = { sending: '发送中', unknown: '没有等到答复，可能仍会执行' } as const

export const findOutgoing = (all: ReadonlyMap<string, Outgoing>, deviceId: string) =>
  [...all.values()].find(({ deviceIds }) => deviceIds.includes(deviceId))?.state
/** Of one device: whether something left for it that was not answered. */
export const selectOutgoing = (deviceId: string) =>
  selectAtom(outgoingAtom, (all) => findOutgoing(all, deviceId))
