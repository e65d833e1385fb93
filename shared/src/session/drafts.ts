import { dayMs } from '../contract/duration'
import { getPageAddress } from '../contract/platform/siteAddress'
import { atom } from 'jotai'
import { store } from './store'
import { userInfoAtom } from './user'

/** Unsaved input of a form: the record it belongs to, its values, and the names of chosen files. */
export type Draft<T = unknown> = {
  about: T
  values: Record<string, unknown>
  files: string[]
  time: number
}

/** Addresses of forms with unsaved input; no new build is loaded under them. */
export const unsavedFormPathsAtom = atom<string[]>([])

const maxDraftAgeMs = 7 * dayMs
const secretNamePattern = /password|secret|token|captcha/i

/**
 * The draft of a form whose values may be secret has a name with this beginning. It is kept in the memory of the page,
 * so that it survives a new sign-in, but neither a reload nor on the disk.
 */
export const memoryDraftPrefix = 'memory/'
const memoryDrafts = new Map<string, string>()
const memoryStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (key) => memoryDrafts.get(key) ?? null,
  setItem: (key, text) => void memoryDrafts.set(key, text),
  removeItem: (key) => void memoryDrafts.delete(key),
}
const getStorage = (form: string) =>
  form.startsWith(memoryDraftPrefix) ? memoryStorage : localStorage

const toDraftKey = (form: string, address = getPageAddress().pathname) =>
  `draft:${store.get(userInfoAtom)?.id ?? ''}:${address}:${form}`

/** Stores the draft of a form for this user and address. Secrets are omitted; of files the names alone are stored. */
export function saveDraft(
  form: string,
  record: unknown,
  values: Record<string, unknown>,
  secrets: string[] = [],
) {
  const files: string[] = []
  const text = JSON.stringify(
    { about: record, values, time: Date.now() },
    function (this: Record<string, unknown>, name, value) {
      const rawValue = this[name]
      if (secrets.includes(name) || secretNamePattern.test(name)) return undefined
      if (rawValue instanceof File) files.push(rawValue.name)
      if (rawValue instanceof Blob) return undefined
      // Picker dates are marked, so that they are restored as dates.
      if (isDayjs(rawValue)) return { $date: rawValue.toISOString() }
      return value as unknown
    },
  )
  try {
    getStorage(form).setItem(
      toDraftKey(form),
      JSON.stringify({ ...(JSON.parse(text) as object), files }),
    )
  } catch {
    // Storage is full, so the form continues without a stored draft.
  }
}

export function readDraft<T>(
  form: string,
  toDate: (iso: string) => unknown,
  address?: string,
): Draft<T> | undefined {
  try {
    const draft = JSON.parse(
      getStorage(form).getItem(toDraftKey(form, address)) ?? 'null',
      (_, value: unknown) =>
        typeof value === 'object' && value !== null && '$date' in value
          ? toDate(String(value.$date))
          : value,
    ) as Draft<T> | null
    return draft && Date.now() - draft.time < maxDraftAgeMs ? draft : undefined
  } catch {
    return undefined
  }
}

/** Removes a draft. `address` is needed if the browser may already be navigating away. */
export const removeDraft = (form: string, address?: string) =>
  getStorage(form).removeItem(toDraftKey(form, address))

const isDayjs = (value: unknown): value is { toISOString(): string } =>
  typeof value === 'object' && value !== null && '$d' in value && 'toISOString' in value

/**
 * Returns the newest draft of a form for any record, with its name and the address of its form.
 * @param parentAddress finds the drafts of all addresses below this one; without it, those of the open page
 */
export function findNewestDraft<T>(
  form: string,
  toDate: (iso: string) => unknown,
  parentAddress?: string,
) {
  const userPrefix = toDraftKey('', '').slice(0, -1)
  const isSearched = (address: string) =>
    parentAddress === undefined
      ? address === getPageAddress().pathname
      : address.startsWith(`${parentAddress}/`)
  const drafts = Object.keys(localStorage)
    .filter((key) => key.startsWith(userPrefix))
    .flatMap((key) => {
      const [address = '', ...nameParts] = key.slice(userPrefix.length).split(':')
      const name = nameParts.join(':')
      if (!isSearched(address) || !name.startsWith(`${form}/`)) return []
      const draft = readDraft<T>(name, toDate, address)
      return draft ? [{ name, address, draft }] : []
    })
  return drafts.sort((a, b) => b.draft.time - a.draft.time)[0]
}

/** @deprecated Use {@link unsavedFormPathsAtom}; kept for remotes that were built before. */
export const unfinishedAtom = unsavedFormPathsAtom

/** @deprecated Use {@link saveDraft}; kept for remotes that were built before. */
export const keepDraft = saveDraft

/** @deprecated Use {@link removeDraft}; kept for remotes that were built before. */
export const dropDraft = removeDraft

/** @deprecated Use {@link findNewestDraft}; kept for remotes that were built before. */
export const lastDraft = findNewestDraft
