import { atom } from 'jotai'
import { RESET } from 'jotai/utils'
import type { UserInfo } from '../contract/auth'
import { menuAtom } from './permission'
import { storedAtom } from './stored'

const isToken = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'
const isUserInfo = (value: unknown): value is UserInfo | null =>
  value === null ||
  (typeof value === 'object' && 'permissions' in value && Array.isArray(value.permissions))

/** Persisted as `token`; RESET removes the copy. */
export const tokenAtom = storedAtom<string | null>('token', null, isToken)
/** Persisted as `userInfo`; RESET removes the copy. */
export const userInfoAtom = storedAtom<UserInfo | null>('userInfo', null, isUserInfo)

export const isSignedInAtom = atom((get) => get(tokenAtom) !== null)

/** Why the last session ended, until the login screen has said it. */
export const endReasonAtom = atom('')

/** Forgets who was signed in; both stored copies go. */
export const signOutAtom = atom(null, (_get, set) => {
  set(tokenAtom, RESET)
  set(userInfoAtom, RESET)
  set(menuAtom, [])
})
