import { atom } from 'jotai'
import type { Pointer } from '@iot/shared/contract/release'

/** The pointer as last read. */
export const pointerAtom = atom<Pointer | undefined>(undefined)
