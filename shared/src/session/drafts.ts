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
export const unfinishedAtom = atom<string[]>([])

const WEEK = 7 * 24 * 3600 * 1000
const secret = /password|secret|token|captcha/i

const keyOf = (form: string, address = location.pathname) =>
  `draft:${store.get(userInfoAtom)?.id ?? ''}:${address}:${form}`

/** Stores the draft of a form for this user and address. Secrets are omitted; of files the names alone are stored. */
export function keepDraft(
  form: string,
  about: unknown,
  values: Record<string, unknown>,
  secrets: string[] = [],
) {
  const files: string[] = []
  const text = JSON.stringify(
    { about, values, time: Date.now() },
    function (this: Record<string, unknown>, name, value) {
      const raw = this[name]
      if (secrets.includes(name) || secret.test(name)) return undefined
      if (raw instanceof File) files.push(raw.name)
      if (raw instanceof Blob) return undefined
      // Picker dates are marked, so that they are restored as dates.
      if (isDayjs(raw)) return { $date: raw.toISOString() }
      return value as unknown
    },
  )
  try {
    localStorage.setItem(keyOf(form), JSON.stringify({ ...(JSON.parse(text) as object), files }))
  } catch {
    // Storage is full, so the form continues without a stored draft.
  }
}

export function readDraft<T>(form: string, toDate: (iso: string) => unknown): Draft<T> | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(keyOf(form)) ?? 'null', (_, value: unknown) =>
      typeof value === 'object' && value !== null && '$date' in value
        ? toDate(String(value.$date))
        : value,
    ) as Draft<T> | null
    return draft && Date.now() - draft.time < WEEK ? draft : undefined
  } catch {
    return undefined
  }
}

/** Removes a draft. `address` is needed if the browser may already be navigating away. */
export const dropDraft = (form: string, address?: string) =>
  localStorage.removeItem(keyOf(form, address))

const isDayjs = (value: unknown): value is { toISOString(): string } =>
  typeof value === 'object' && value !== null && '$d' in value && 'toISOString' in value

/** Returns the newest draft of a form for any record, with its name. */
export function lastDraft<T>(form: string, toDate: (iso: string) => unknown) {
  const prefix = keyOf(`${form}/`)
  const drafts = Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const name = `${form}/${key.slice(prefix.length)}`
      const draft = readDraft<T>(name, toDate)
      return draft ? [{ name, draft }] : []
    })
  return drafts.sort((a, b) => b.draft.time - a.draft.time)[0]
}
