import { atom } from 'jotai'
import type { RemoteName } from '@iot/shared/contract/release'

/** The open screen failed while rendering, so it has no state worth keeping. */
export const brokenAtom = atom(false)

/** Counts swaps of a development build, whose build name never changes. */
export const takenAtom = atom(0)

/** Remotes whose newest build failed to load and that run the previous one. */
export const formerAtom = atom<RemoteName[]>([])

/** The remote that was swapped last, or `host` when the console itself waits for a reload; a notice names it. */
export const updatedAtom = atom<RemoteName | 'host' | undefined>(undefined)
