import { atom } from 'jotai'
import type { Endpoint } from '../contract/endpoint'

/** Rows that were selected as all rows of a filter, with the state in which they were read. */
export type FilterSelection = {
  endpoint: Endpoint
  input: object
  rows: Readonly<Record<string, { name: string; version: number | undefined }>>
}
export type Selection = { ids: string[]; filter?: FilterSelection | undefined }

/** Selected rows of each list by address, with the time of the selection. They expire together with the cached rows. */
export const selectedIdsAtom = atom<Readonly<Record<string, Selection & { time: number }>>>({})

/** @deprecated Use {@link selectedIdsAtom}; kept for remotes that were built before. */
export const selectedAtom = selectedIdsAtom
