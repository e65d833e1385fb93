import { atom } from 'jotai'

/** Version of library icons and product types; it changes with them and is empty until it is known. */
export const iconVersionAtom = atom('')

/** @deprecated Use {@link iconVersionAtom}; kept for remotes that were built before. */
export const looksVersionAtom = iconVersionAtom
