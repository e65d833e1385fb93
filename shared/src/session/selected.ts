import { atom } from 'jotai'

/** Selected ids of each list by address, with the time of the selection. They expire together with the cached rows. */
export const selectedAtom = atom<Readonly<Record<string, { ids: string[]; time: number }>>>({})
