import { atom } from 'jotai'
import type { AppName, RemoteName } from '@iot/shared/contract/release/release.schema'

/** The open screen failed while rendering, so it has no state worth keeping. */
export const screenFailedAtom = atom(false)

/** Counts swaps of a development build, whose build name never changes. */
export const developmentSwapsAtom = atom(0)

/** The newest build of these remotes failed to load, so they run the previous one. */
export const fallbackRemotesAtom = atom<RemoteName[]>([])

/** A notice names the remote that was swapped last; `host` means that the console itself waits for a reload. */
export const updateNoticeAtom = atom<AppName | undefined>(undefined)
