import { atom, type PrimitiveAtom } from 'jotai'
import type { Approval } from '../contract/control/approval.schema'
import type { ControlTask } from '../contract/control/control.schema'
import type { LiveState, SpaceLights } from '../contract/device/device.schema'
import type { PageNotification } from '../contract/alarm/pageNotification.schema'
import type { Task } from '../contract/sheet/task.schema'

/** `off` means that no page has opened the connection or that the user is signed out. */
export const liveStatusAtom = atom<'off' | 'connecting' | 'ready' | 'down'>('off')
/** Time since which the data is not updated, in ms of the server's clock. */
export const liveStaleSinceAtom = atom<number | undefined>(undefined)
/** The user has too many live connections for now. */
export const hasTooManyConnectionsAtom = atom(false)
const stateAtomsByDevice = new Map<string, PrimitiveAtom<LiveState | undefined>>()
/**
 * Returns the atom with the last live state of a device since the last reload. A component that reads it renders for
 * this device alone.
 */
export function deviceStateAtom(id: string) {
  const stateAtom = stateAtomsByDevice.get(id) ?? atom<LiveState | undefined>(undefined)
  stateAtomsByDevice.set(id, stateAtom)
  return stateAtom
}
/** Devices of the last message, for counts and canvases over many devices; empty after a reset. */
export const deviceMessageAtom = atom<readonly LiveState[]>([])
export const applyDeviceStatesAtom = atom(null, (_get, setAtom, devices: LiveState[]) => {
  for (const device of devices) setAtom(deviceStateAtom(device.id), device)
  setAtom(deviceMessageAtom, devices)
})
/** Light counts by space, from the live channel since the last reload. */
export const spaceLightsAtom = atom<ReadonlyMap<string, SpaceLights>>(new Map())
/**
 * Floors that the page subscribes to; other devices send no states. A component that changes it reads the devices when
 * `floorsReloadAtom` increases.
 */
export const watchedFloorsAtom = atom<readonly string[]>([])
/** The page subscribes to these devices because their own page is open, on any floor. */
export const watchedDevicesAtom = atom<readonly string[]>([])
export const floorsReloadAtom = atom(0)
export const clearDeviceStatesAtom = atom(null, (_get, setAtom) => {
  for (const stateAtom of stateAtomsByDevice.values()) setAtom(stateAtom, undefined)
  setAtom(deviceMessageAtom, [])
})
/** Control tasks by id, from the live channel. */
export const controlTasksAtom = atom<ReadonlyMap<string, ControlTask>>(new Map())
/** Approval requests by id, of any project that the user may control, from the live channel. */
export const approvalsAtom = atom<ReadonlyMap<string, Approval>>(new Map())
/** Notifications from the live channel that have not been handled yet. */
export const pageNotificationsAtom = atom<readonly PageNotification[]>([])
/** Number of unacknowledged incidents of the project; undefined before the first message. */
export const openIncidentCountAtom = atom<number | undefined>(undefined)
/** Counter that increases when this page saves a hold-off note. */
export const holdNoteRevisionAtom = atom(0)
/** Long-running tasks of the user by id, from the live channel. */
export const myTasksAtom = atom<ReadonlyMap<string, Task>>(new Map())
/** Ids of tasks whose result files the user has seen; undefined before the tasks are first read. */
export const viewedResultIdsAtom = atom<ReadonlySet<string> | undefined>(undefined)
/** Counter that increases when data read by calls is outdated and must be reloaded. */
export const liveReloadAtom = atom(0)
/** Counter that increases when manual overrides or delayed commands of the project change. */
export const controlListsReloadAtom = atom(0)
/** Counter that increases when roles or menus change. */
export const permissionsReloadAtom = atom(0)

/** @deprecated Use {@link liveStaleSinceAtom}; kept for remotes that were built before. */
export const liveStoppedAtom = liveStaleSinceAtom

/** @deprecated Use {@link hasTooManyConnectionsAtom}; kept for remotes that were built before. */
export const liveBusyAtom = hasTooManyConnectionsAtom

/** @deprecated Use {@link applyDeviceStatesAtom}; kept for remotes that were built before. */
export const takeStatesAtom = applyDeviceStatesAtom

/** @deprecated Use {@link clearDeviceStatesAtom}; kept for remotes that were built before. */
export const forgetStatesAtom = clearDeviceStatesAtom

/** @deprecated Use {@link openIncidentCountAtom}; kept for remotes that were built before. */
export const shiftOpenAtom = openIncidentCountAtom

/** @deprecated Use {@link holdNoteRevisionAtom}; kept for remotes that were built before. */
export const holdsChangedAtom = holdNoteRevisionAtom

/** @deprecated Use {@link viewedResultIdsAtom}; kept for remotes that were built before. */
export const seenResultsAtom = viewedResultIdsAtom

/** @deprecated Use {@link permissionsReloadAtom}; kept for remotes that were built before. */
export const liveRightsAtom = permissionsReloadAtom
