import { atom } from 'jotai'

/** Ids selected in each list, by its address, and since when. Goes with the rows that lists remember. */
export const selectedAtom = atom<Readonly<Record<string, { ids: string[]; time: number }>>>({})
