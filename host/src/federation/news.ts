import { atom } from 'jotai'
import type { RemoteName } from '@iot/shared/contract/release'

/** The area that was exchanged last, `host` when the console itself waits for a reload; a quiet notice names it. */
export const updatedAtom = atom<RemoteName | 'host' | undefined>(undefined)
