import { eq, or, sql } from 'drizzle-orm'
import { addressGroup } from '../../../core/http/addressGroup'
import { loginFailure } from '../../../tables/auth'

/** Keys of `login_failure`: an account from anywhere, from one source of addresses, and from one known device. */
export const toAccountKey = (username: string) => `user:${username.toLowerCase()}`
export const toAddressPrefix = (address: string) => `address:${addressGroup(address)}|`
export const toAddressKey = (address: string, username: string) =>
  toAddressPrefix(address) + username.toLowerCase()
export const toDeviceKey = (deviceHash: string, username: string) =>
  `device:${deviceHash}|${username.toLowerCase()}`

/** Condition for the failures of one account from all sources. */
export function whereFailureOfUser(username: string) {
  const keySuffix = `|${username.toLowerCase()}`
  return or(
    eq(loginFailure.key, toAccountKey(username)),
    sql`right(${loginFailure.key}, ${keySuffix.length}) = ${keySuffix}`,
  )
}
