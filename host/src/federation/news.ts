import { atom } from 'jotai'
import type { RemoteName } from '@iot/shared/contract/release'

/** Whether the open screen failed while it was drawn: there is nothing in it to keep. */
export const brokenAtom = atom(false)

/** How often a developer's build was taken, which is always called the same. */
export const takenAtom = atom(0)

/** Areas whose newest build did not come, so that the one before is used. */
export const formerAtom = atom<RemoteName[]>([])

/** The area that was exchanged last, `host` when the console itself waits for a reload; a quiet notice names it. */
export const updatedAtom = atom<RemoteName | 'host' | undefined>(undefined)
