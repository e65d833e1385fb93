import { atom } from 'jotai'
import { RESET } from 'jotai/utils'
import type { UserInfo } from '../contract/access/auth.schema'
import { menuAtom } from './permission'
import { createPersistedAtom } from './stored'

const isToken = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'
const isUserInfo = (value: unknown): value is UserInfo | null =>
  value === null ||
  (typeof value === 'object' && 'permissions' in value && Array.isArray(value.permissions))

/** The atom is persisted as `token`; RESET removes the copy. */
export const tokenAtom = createPersistedAtom<string | null>('token', null, isToken)
/** The atom is persisted as `userInfo`; RESET removes the copy. */
export const userInfoAtom = createPersistedAtom<UserInfo | null>('userInfo', null, isUserInfo)

/** True while the user must change the password or enable a second factor before anything else. */
export const hasSignInDuty = (user: UserInfo | null) =>
  user !== null && (user.mustChangePassword || user.mustEnrolSecondFactor === true)

export const isSignedInAtom = atom((get) => get(tokenAtom) !== null)

/** Reason why the last session ended, until the login screen has shown it. */
export const sessionEndReasonAtom = atom('')

/** Signs out and removes both stored copies. */
export const signOutAtom = atom(null, (_get, setAtom) => {
  setAtom(tokenAtom, RESET)
  setAtom(userInfoAtom, RESET)
  setAtom(menuAtom, [])
})

/** @deprecated Use {@link sessionEndReasonAtom}; kept for remotes that were built before. */
export const endReasonAtom = sessionEndReasonAtom
