import { atom } from 'jotai'
import type { ControlTask } from '../contract/control'
import type { LiveState } from '../contract/device'
import type { Task } from '../contract/task'

/** `off`: nobody asked for it yet, or nobody is signed in. */
export const liveStatusAtom = atom<'off' | 'connecting' | 'ready' | 'down'>('off')
/** By device; what came over the live channel since the last reload. */
export const deviceStatesAtom = atom<ReadonlyMap<string, LiveState>>(new Map())
/** By task; what came over the live channel. */
export const controlTasksAtom = atom<ReadonlyMap<string, ControlTask>>(new Map())
/** One's own long work, by task; what came over the live channel. */
export const myTasksAtom = atom<ReadonlyMap<string, Task>>(new Map())
/** Result files, by task, that are no news any more; unknown until the tasks were first read. */
export const seenResultsAtom = atom<ReadonlySet<string> | undefined>(undefined)
/** Counts how often what was read by a call is out of date and is to be read anew. */
export const liveReloadAtom = atom(0)
/** Counts how often roles or menus changed. */
export const liveRightsAtom = atom(0)
