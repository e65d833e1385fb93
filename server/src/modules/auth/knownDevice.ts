import { daySeconds } from '@iot/shared/contract/duration'
import { randomBytes } from 'node:crypto'
import type { Context } from '../../core/http/context'
import type { authQueries } from './queries'
import { hashToken } from './sessions'

const cookieName = 'known-device'
export const knownDeviceDays = 180
const maxPerUser = 20

/** Returns the token of the known-device cookie and its hash; undefined if the browser sends no valid cookie. */
export function readDeviceCookie({ cookies }: Pick<Context, 'cookies'>) {
  const cookie = cookies(cookieName)
  return cookie && /^[\w-]{43}$/.test(cookie)
    ? { token: cookie, hash: hashToken(cookie) }
    : undefined
}

/**
 * Remembers the browser for this user after a login. A cookie that the platform issued is reused for another user of
 * the same browser; any other value is replaced, because an attacker may have planted it.
 */
export async function rememberDevice(
  queries: ReturnType<typeof authQueries>,
  userId: string,
  context: Pick<Context, 'cookies' | 'setCookie'>,
) {
  const device = readDeviceCookie(context)
  const isPlatformCookie = device && (await queries.isKnownDevice(device.hash))
  const token = isPlatformCookie ? device.token : randomBytes(32).toString('base64url')
  await queries.rememberDevice(hashToken(token), userId, maxPerUser)
  context.setCookie(
    cookieName,
    token,
    '/v1/auth',
    `Max-Age=${knownDeviceDays * daySeconds}; HttpOnly; SameSite=Strict`,
  )
}
