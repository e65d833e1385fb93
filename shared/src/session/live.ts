import { atom, type PrimitiveAtom } from 'jotai'
import type { Approval } from '../contract/approval'
import type { ControlTask } from '../contract/control'
import type { LiveState, SpaceLights } from '../contract/device'
import type { Task } from '../contract/task'

/** `off`: nobody asked for it yet, or nobody is signed in. */
export const liveStatusAtom = atom<'off' | 'connecting' | 'ready' | 'down'>('off')
/** Since when what is shown is not brought up to date; in milliseconds of the server's clock. */
export const liveStoppedAtom = atom<number | undefined>(undefined)
/** The platform takes no more live connections of this user for now. */
export const liveBusyAtom = atom(false)
const states = new Map<string, PrimitiveAtom<LiveState | undefined>>()
/** What came of a device over the live channel since the last reload. Only who shows this one is drawn anew for it. */
export function deviceStateAtom(id: string) {
  const known = states.get(id) ?? atom<LiveState | undefined>(undefined)
  states.set(id, known)
  return known
}
/** Those the last message was about, for what is counted over many or draws many; none where all were forgotten. */
export const deviceMessageAtom = atom<readonly LiveState[]>([])
export const takeStatesAtom = atom(null, (_get, set, devices: LiveState[]) => {
  for (const device of devices) set(deviceStateAtom(device.id), device)
  set(deviceMessageAtom, devices)
})
/** By space, how its lights stand; what came over the live channel since the last reload. */
export const spaceLightsAtom = atom<ReadonlyMap<string, SpaceLights>>(new Map())
/** Whose devices the page shows: of others nothing is sent. Whoever changes it reads them when `floorsReloadAtom` counts. */
export const watchedFloorsAtom = atom<readonly string[]>([])
/** Those whose own page is open, wherever they stand. */
export const watchedDevicesAtom = atom<readonly string[]>([])
export const floorsReloadAtom = atom(0)
export const forgetStatesAtom = atom(null, (_get, set) => {
  for (const known of states.values()) set(known, undefined)
  set(deviceMessageAtom, [])
})
/** By task; what came over the live channel. */
export const controlTasksAtom = atom<ReadonlyMap<string, ControlTask>>(new Map())
/** By id, of any project one may control; what came over the live channel. */
export const approvalsAtom = atom<ReadonlyMap<string, Approval>>(new Map())
/** Incidents of the project that nobody acknowledged; unknown until the live channel told of them. */
export const shiftOpenAtom = atom<number | undefined>(undefined)
/** Counts how often this page kept something by hand. */
export const holdsChangedAtom = atom(0)
/** One's own long work, by task; what came over the live channel. */
export const myTasksAtom = atom<ReadonlyMap<string, Task>>(new Map())
/** Result files, by task, that are no news any more; unknown until the tasks were first read. */
export const seenResultsAtom = atom<ReadonlySet<string> | undefined>(undefined)
/** Counts how often what was read by a call is out of date and is to be read anew. */
export const liveReloadAtom = atom(0)
/** Counts how often roles or menus changed. */
export const liveRightsAtom = atom(0)
