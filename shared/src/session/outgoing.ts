import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

/** A command of this page that the server has not answered yet. */
export type Outgoing = {
  /** The key is the idempotency key of the command. */
  key: string
  projectId: number
  title: string
  /** `unknown` means that no response arrived in time; the command may still be executed. */
  state: 'sending' | 'unknown'
  /** Ids of the targeted devices; empty for a place, a group or a scene. */
  deviceIds: readonly string[]
}

/** Unanswered commands are keyed by their idempotency key. */
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
/** Selects the state of an unanswered command to one device. */
export const selectOutgoing = (deviceId: string) =>
  selectAtom(outgoingAtom, (all) => findOutgoing(all, deviceId))
