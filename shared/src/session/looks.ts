import { atom } from 'jotai'

/** Another one when icons of the library or product types have changed on the platform; empty until it is known. */
export const looksVersionAtom = atom('')
