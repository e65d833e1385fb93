import { atom } from 'jotai'
import { createPersistedAtom } from '@iot/shared/session/stored'
import { userInfoAtom } from '@iot/shared/session/user'

/** A result that was chosen in the search. `path` is set if the result cannot be found again by its key alone. */
export type RecentChoice = { key: string; name: string; path?: string; projectId?: number }
/** The choices belong to the user who made them, because several people share a computer. */
type StoredChoices = { userId: string; list: RecentChoice[] }

const maxRecentChoices = 5

const isChoice = (value: unknown): value is RecentChoice =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'name' in value &&
  typeof value.name === 'string'
const isStoredChoices = (value: unknown): value is StoredChoices =>
  typeof value === 'object' &&
  value !== null &&
  'userId' in value &&
  'list' in value &&
  Array.isArray(value.list) &&
  value.list.every(isChoice)

const storedChoicesAtom = createPersistedAtom<StoredChoices>(
  'recentChoices',
  { userId: '', list: [] },
  isStoredChoices,
)

/** The last choices of the signed-in user, the newest first. */
export const recentChoicesAtom = atom((get) => {
  const { userId, list } = get(storedChoicesAtom)
  return userId === get(userInfoAtom)?.id ? list : []
})

export const rememberChoiceAtom = atom(null, (get, set, choice: RecentChoice) => {
  const userId = get(userInfoAtom)?.id
  // A choice from the list of recent ones keeps the key of what it stands for.
  const key = choice.key.replace(/^recent /, '')
  const previous = get(recentChoicesAtom).filter((one) => one.key !== key)
  const list = [{ ...choice, key }, ...previous].slice(0, maxRecentChoices)
  if (userId) set(storedChoicesAtom, { userId, list })
})
