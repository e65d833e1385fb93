import { atom } from 'jotai'

/** Selected ids of each list by address, with the time of the selection. They expire together with the cached rows. */
export const selectedIdsAtom = atom<Readonly<Record<string, { ids: string[]; time: number }>>>({})

/** @deprecated Use {@link selectedIdsAtom}; kept for remotes that were built before. */
export const selectedAtom = selectedIdsAtom
