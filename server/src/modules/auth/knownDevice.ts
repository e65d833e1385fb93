import { randomBytes } from 'node:crypto'
import type { Context } from '../../core/serve/context'
import type { authQueries } from './queries'
import { hashToken } from './sessions'

const cookieName = 'known-device'
export const knownDeviceDays = 180
const maxPerUser = 20

/** The hash of the cookie a browser shows, where it shows one. */
export function readDevice({ cookies }: Pick<Context, 'cookies'>) {
  const cookie = cookies(cookieName)
  return cookie && /^[\w-]{43}$/.test(cookie)
    ? { token: cookie, hash: hashToken(cookie) }
    : undefined
}

/**
 * Remembers, after a sign-in, the browser for this user. Only a cookie of ours is taken over for another user of the same
 * browser: one that somebody else planted is replaced.
 */
export async function rememberDevice(
  queries: ReturnType<typeof authQueries>,
  userId: string,
  context: Pick<Context, 'cookies' | 'setCookie'>,
) {
  const device = readDevice(context)
  const isOurs = device && (await queries.isKnownDevice(device.hash))
  const token = isOurs ? device.token : randomBytes(32).toString('base64url')
  await queries.rememberDevice(hashToken(token), userId, maxPerUser)
  context.setCookie(
    cookieName,
    token,
    `Path=/v1/auth; Max-Age=${knownDeviceDays * 86_400}; HttpOnly; SameSite=Strict`,
  )
}
