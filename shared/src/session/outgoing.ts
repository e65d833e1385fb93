import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

/** A command of this page that the server has not answered yet. */
export type InFlightCommand = {
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
export const inFlightCommandsAtom = atom<ReadonlyMap<string, InFlightCommand>>(new Map())
export const setInFlightCommandAtom = atom(null, (_get, setAtom, command: InFlightCommand) =>
  setAtom(inFlightCommandsAtom, (previous) => new Map(previous).set(command.key, command)),
)
export const removeInFlightCommandAtom = atom(null, (_get, setAtom, key: string) =>
  setAtom(inFlightCommandsAtom, (previous) => {
    const rest = new Map(previous)
    rest.delete(key)
    return rest
  }),
)

export const inFlightText = { sending: '发送中', unknown: '没有等到答复，可能仍会执行' } as const

export const findInFlightState = (
  commands: ReadonlyMap<string, InFlightCommand>,
  deviceId: string,
) => [...commands.values()].find(({ deviceIds }) => deviceIds.includes(deviceId))?.state
/** Selects the state of an unanswered command to one device. */
export const selectInFlightState = (deviceId: string) =>
  selectAtom(inFlightCommandsAtom, (commands) => findInFlightState(commands, deviceId))

/** @deprecated Use {@link InFlightCommand}; kept for remotes that were built before. */
export type Outgoing = InFlightCommand

/** @deprecated Use {@link inFlightCommandsAtom}; kept for remotes that were built before. */
export const outgoingAtom = inFlightCommandsAtom

/** @deprecated Use {@link setInFlightCommandAtom}; kept for remotes that were built before. */
export const setOutgoingAtom = setInFlightCommandAtom

/** @deprecated Use {@link removeInFlightCommandAtom}; kept for remotes that were built before. */
export const removeOutgoingAtom = removeInFlightCommandAtom

/** @deprecated Use {@link inFlightText}; kept for remotes that were built before. */
export const outgoingText = inFlightText

/** @deprecated Use {@link findInFlightState}; kept for remotes that were built before. */
export const findOutgoing = findInFlightState

/** @deprecated Use {@link selectInFlightState}; kept for remotes that were built before. */
export const selectOutgoing = selectInFlightState
