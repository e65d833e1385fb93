import { atom } from 'jotai'
import type { Pointer } from '@iot/shared/contract/release/release.schema'

export const pointerAtom = atom<Pointer | undefined>(undefined)
